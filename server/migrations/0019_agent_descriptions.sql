ALTER TABLE "agents" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- The words of an agent hold its description too. PostgreSQL before 17 can't change what a column is computed from; see 0013.
ALTER TABLE "agents" DROP COLUMN "words";--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (array_to_tsvector(
  CASE WHEN is_public AND deleted_at IS NULL THEN ARRAY['of ' || user_id, 'for all'] ELSE ARRAY['of ' || user_id] END)
  || to_tsvector('english'::regconfig, left(name || ' ' || description || ' ' || prompt, 100000))) STORED;--> statement-breakpoint
ALTER TABLE "agents" ALTER COLUMN "words" SET STATISTICS 0;--> statement-breakpoint
CREATE INDEX "agents_words" ON "agents" USING gin (words) WITH (fastupdate=false);
