-- Reserves what work in the background may take, for as long as it may last; false where a budget has no room, or the account is gone.
CREATE OR REPLACE FUNCTION atelier_reserve_budget(
  _uid text, _id uuid, _budgets jsonb, _tokens bigint, _cost numeric, _lease interval
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- Lock first: from here on nobody else can reserve anything for this account.
  PERFORM FROM usage u WHERE u.user_id = _uid FOR UPDATE;
  IF NOT FOUND OR EXISTS (SELECT FROM atelier_budget_refusal(_uid, _budgets)) THEN
    RETURN false;
  END IF;
  -- Left by processes that were killed; they count no more.
  DELETE FROM budget_reservations r WHERE r.user_id = _uid AND r.until <= now();
  INSERT INTO budget_reservations (user_id, id, tokens, cost, until) VALUES (_uid, _id, _tokens, _cost, clock_timestamp() + _lease);
  RETURN true;
END $$;
