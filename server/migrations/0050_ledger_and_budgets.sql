-- functions 713b5caa679f
CREATE TABLE "token_ledger" (
	"user_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"purpose" text NOT NULL,
	"model" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"calls" integer NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"estimated" integer NOT NULL,
	"cost" numeric NOT NULL,
	CONSTRAINT "token_ledger_user_id_at_purpose_model_agent_id_currency_pk" PRIMARY KEY("user_id","at","purpose","model","agent_id","currency")
);
--> statement-breakpoint
CREATE TABLE "token_totals" (
	"day" date NOT NULL,
	"purpose" text NOT NULL,
	"model" text NOT NULL,
	"part" smallint NOT NULL,
	"currency" text NOT NULL,
	"calls" integer NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"estimated" integer NOT NULL,
	"cost" numeric NOT NULL,
	CONSTRAINT "token_totals_day_purpose_model_currency_part_pk" PRIMARY KEY("day","purpose","model","currency","part")
);
--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "reserved_tokens" bigint;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "reserved_cost" numeric;--> statement-breakpoint
CREATE INDEX "token_ledger_time" ON "token_ledger" USING btree ("at");--> statement-breakpoint
-- What exchanges say of their tokens; an imported one may say anything. Their prices of then are not known.
INSERT INTO token_ledger
  SELECT t.user_id, date_bin('15 minutes', t.created_at, '2000-01-01T00:00:00Z'), 'answer', t.model, t.agent_id, '', count(*),
    sum(least(greatest((t.token_usage->>'inputTokens')::numeric, 0), 1000000000)),
    sum(least(greatest((t.token_usage->>'outputTokens')::numeric, 0), 1000000000)),
    count(*) FILTER (WHERE (t.token_usage->>'estimated')::boolean), 0
  FROM tasks t JOIN "user" u ON u.id = t.user_id
  WHERE t.token_usage IS NOT NULL
  GROUP BY 1, 2, 4, 5;
--> statement-breakpoint
INSERT INTO token_totals
  SELECT (l.at AT TIME ZONE 'UTC')::date, l.purpose, l.model, 0, l.currency, sum(l.calls), sum(l.input_tokens), sum(l.output_tokens),
    sum(l.estimated), sum(l.cost)
  FROM token_ledger l GROUP BY 1, 2, 3, 5;
