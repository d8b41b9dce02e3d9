-- Which of `_budgets` has no room for what is to be reserved of it (`need`, beside `most`), by its place, and why; no row where all have room. The
-- caller has locked the account's usage, and reserves in the same transaction.
CREATE OR REPLACE FUNCTION atelier_budget_refusal(_uid text, _budgets jsonb) RETURNS TABLE (outcome text, refused_by integer)
LANGUAGE plpgsql AS $$
BEGIN
  IF _budgets @> '[{"scope": "server"}]' THEN
    -- Different accounts reserve one after another, until each is stored.
    PERFORM pg_advisory_xact_lock(hashtext('runs.budget'));
    -- Adds up the days that are over, once. Their rows change no more: no transaction takes an hour.
    INSERT INTO token_totals (day, currency, input_tokens, output_tokens, cost)
      SELECT (l.at AT TIME ZONE 'UTC')::date, l.currency, sum(l.input_tokens), sum(l.output_tokens), sum(l.cost)
      FROM token_ledger l
      WHERE l.at >= greatest(date_trunc('month', now(), 'UTC'), (SELECT max(t.day) + 1 FROM token_totals t)::timestamp AT TIME ZONE 'UTC')
        AND l.at < date_trunc('day', now() - interval '1 hour', 'UTC')
      GROUP BY 1, 2;
  END IF;
  RETURN QUERY SELECT CASE WHEN u.used + b.need > b.most THEN 'budget_used' ELSE 'budget_reserved' END, u.place
    FROM atelier_budget_use(_uid, _budgets) u
    CROSS JOIN LATERAL (SELECT (_budgets->u.place->>'need')::numeric AS need, (_budgets->u.place->>'most')::numeric AS most) b
    WHERE u.used + u.reserved + b.need > b.most
    -- The reason that lasts longest.
    ORDER BY u.used + b.need > b.most DESC, _budgets->u.place->>'period' DESC, u.place LIMIT 1;
END $$;
