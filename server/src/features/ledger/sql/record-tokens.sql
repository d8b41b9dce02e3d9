-- Adds what calls of models took to the ledger. `_entries` has {purpose, model, agent_id, currency, calls, input_tokens, output_tokens, estimated,
-- cost}; null adds nothing. What an account that is gone still takes is nobody's. No two accounts share a row, so their runs don't wait for each other.
CREATE OR REPLACE FUNCTION atelier_record_tokens(_uid text, _entries jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  _owner text;
BEGIN
  IF _entries IS NULL OR jsonb_array_length(_entries) = 0 THEN
    RETURN false;
  END IF;
  SELECT u.id INTO _owner FROM "user" u WHERE u.id = _uid FOR KEY SHARE;
  INSERT INTO token_ledger AS l
    SELECT coalesce(_owner, ''), date_bin('15 minutes', now(), '2000-01-01T00:00:00Z'), e.purpose, e.model, e.agent_id, e.currency,
      sum(e.calls), sum(e.input_tokens), sum(e.output_tokens), sum(e.estimated), sum(e.cost)
    FROM jsonb_to_recordset(_entries) AS e(purpose text, model text, agent_id uuid, currency text, calls integer, input_tokens bigint,
      output_tokens bigint, estimated integer, cost numeric)
    GROUP BY e.purpose, e.model, e.agent_id, e.currency
    -- Always in the same order, so that two who wait for each other's rows can't be.
    ORDER BY e.purpose, e.model, e.agent_id, e.currency
    ON CONFLICT (user_id, at, purpose, model, agent_id, currency) DO UPDATE SET calls = l.calls + excluded.calls,
      input_tokens = l.input_tokens + excluded.input_tokens, output_tokens = l.output_tokens + excluded.output_tokens,
      estimated = l.estimated + excluded.estimated, cost = l.cost + excluded.cost;
  RETURN true;
END $$;
