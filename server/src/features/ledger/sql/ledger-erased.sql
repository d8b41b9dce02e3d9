-- What an account took stays when the account goes, as nobody's, by day: it doesn't give the server's budget back.
CREATE OR REPLACE FUNCTION atelier_ledger_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO token_ledger AS l
    SELECT '', date_trunc('day', g.at, 'UTC'), g.purpose, g.model, '00000000-0000-0000-0000-000000000000', g.currency,
      sum(g.calls), sum(g.input_tokens), sum(g.output_tokens), sum(g.estimated), sum(g.cost)
    FROM gone g
    GROUP BY 2, g.purpose, g.model, g.currency
    ORDER BY 2, g.purpose, g.model, g.currency
    ON CONFLICT (user_id, at, purpose, model, agent_id, currency) DO UPDATE SET calls = l.calls + excluded.calls,
      input_tokens = l.input_tokens + excluded.input_tokens, output_tokens = l.output_tokens + excluded.output_tokens,
      estimated = l.estimated + excluded.estimated, cost = l.cost + excluded.cost;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER ledger_erased AFTER DELETE ON token_ledger
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION atelier_ledger_erased();
