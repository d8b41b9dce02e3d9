-- What is used of budgets and what runs in flight have reserved of them, each with its place in `_budgets`, which has {scope, period, unit,
-- currency}. One statement, in a snapshot of its own: a run that ends meanwhile is either reserved or used. A run that is killed has nothing
-- reserved as soon as its task isn't in flight any more.
CREATE OR REPLACE FUNCTION atelier_budget_use(_uid text, _budgets jsonb) RETURNS TABLE (place integer, used numeric, reserved numeric)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT b.n::integer - 1,
      CASE WHEN b.budget->>'scope' = 'account' THEN (
        SELECT coalesce(sum(CASE WHEN b.budget->>'unit' = 'tokens' THEN l.input_tokens + l.output_tokens
          WHEN l.currency = b.budget->>'currency' THEN l.cost END), 0)
        FROM token_ledger l WHERE l.user_id = _uid AND l.at >= s.start AT TIME ZONE 'UTC'
      ) ELSE (
        SELECT coalesce(sum(CASE WHEN b.budget->>'unit' = 'tokens' THEN t.input_tokens + t.output_tokens
          WHEN t.currency = b.budget->>'currency' THEN t.cost END), 0)
        FROM (
          SELECT d.input_tokens, d.output_tokens, d.currency, d.cost FROM token_totals d WHERE d.day >= s.start
          UNION ALL
          SELECT l.input_tokens, l.output_tokens, l.currency, l.cost FROM token_ledger l
            WHERE l.at >= greatest(s.start, (SELECT max(d.day) + 1 FROM token_totals d)) AT TIME ZONE 'UTC'
        ) t
      ) END,
      (
        SELECT coalesce(sum(CASE WHEN b.budget->>'unit' = 'tokens' THEN r.tokens ELSE r.cost END), 0)
        FROM (
          SELECT t.user_id, t.reserved_tokens AS tokens, t.reserved_cost AS cost FROM tasks t WHERE atelier_is_in_flight(t.status)
          UNION ALL
          SELECT w.user_id, w.tokens, w.cost FROM budget_reservations w WHERE w.until > now()
        ) r
        WHERE b.budget->>'scope' = 'server' OR r.user_id = _uid
      )
    FROM jsonb_array_elements(_budgets) WITH ORDINALITY AS b(budget, n)
    CROSS JOIN LATERAL (SELECT date_trunc(b.budget->>'period', now() AT TIME ZONE 'UTC') AS start) s;
END $$;
