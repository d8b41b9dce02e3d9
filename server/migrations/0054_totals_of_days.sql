-- functions 0d57b6399959
-- What deleted accounts took becomes nobody's lines of the ledger; the days that are over are added up again from it.
INSERT INTO token_ledger (user_id, at, purpose, model, agent_id, currency, calls, input_tokens, output_tokens, estimated, cost)
  SELECT '', s.day::timestamp AT TIME ZONE 'UTC', s.purpose, s.model, '00000000-0000-0000-0000-000000000000', s.currency, sum(s.calls),
    sum(s.input_tokens), sum(s.output_tokens), sum(s.estimated), sum(s.cost)
  FROM (
    SELECT t.day, t.purpose, t.model, t.currency, t.calls, t.input_tokens, t.output_tokens, t.estimated, t.cost FROM token_totals t
    UNION ALL
    SELECT (l.at AT TIME ZONE 'UTC')::date, l.purpose, l.model, l.currency, -l.calls, -l.input_tokens, -l.output_tokens, -l.estimated, -l.cost
      FROM token_ledger l
  ) s
  GROUP BY s.day, s.purpose, s.model, s.currency HAVING sum(s.calls) > 0;
--> statement-breakpoint
DELETE FROM token_totals;
--> statement-breakpoint
ALTER TABLE "token_totals" DROP CONSTRAINT "token_totals_day_purpose_model_currency_part_pk";--> statement-breakpoint
ALTER TABLE "token_totals" ADD CONSTRAINT "token_totals_day_currency_pk" PRIMARY KEY("day","currency");--> statement-breakpoint
ALTER TABLE "token_totals" DROP COLUMN "purpose";--> statement-breakpoint
ALTER TABLE "token_totals" DROP COLUMN "model";--> statement-breakpoint
ALTER TABLE "token_totals" DROP COLUMN "part";--> statement-breakpoint
ALTER TABLE "token_totals" DROP COLUMN "calls";--> statement-breakpoint
ALTER TABLE "token_totals" DROP COLUMN "estimated";
