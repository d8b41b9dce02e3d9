-- The words of what is searched, computed when a row is written and not when it is searched; see platform/database/text-search.ts. A
-- vector holds at most 1 MB, so of a huge text the beginning counts. No statement of ours needs statistics of the words, and computing
-- them would take a second.
DROP INDEX "agents_search";--> statement-breakpoint
DROP INDEX "memories_list";--> statement-breakpoint
DROP INDEX "memories_search";--> statement-breakpoint
DROP INDEX "tasks_search";--> statement-breakpoint
DROP INDEX "memories_session";--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (array_to_tsvector(
  CASE WHEN is_public AND deleted_at IS NULL THEN ARRAY['of ' || user_id, 'for all'] ELSE ARRAY['of ' || user_id] END)
  || to_tsvector('english'::regconfig, left(name || ' ' || prompt, 100000))) STORED;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (array_to_tsvector(ARRAY['of ' || user_id])
  || to_tsvector('english'::regconfig, left(name, 100000))) STORED;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (array_to_tsvector(ARRAY['of ' || user_id])
  || to_tsvector('english'::regconfig, left(input_text || ' ' || message, 100000))) STORED;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (array_to_tsvector(ARRAY['of ' || user_id])
  || to_tsvector('english'::regconfig, left(text, 100000))) STORED;--> statement-breakpoint
ALTER TABLE "agents" ALTER COLUMN "words" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "chat_sessions" ALTER COLUMN "words" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "words" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "memories" ALTER COLUMN "words" SET STATISTICS 0;--> statement-breakpoint
CREATE INDEX "agents_words" ON "agents" USING gin (words) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "memories_newest" ON "memories" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "memories_pinned" ON "memories" USING btree ("user_id","created_at","id") WHERE "memories"."pinned";--> statement-breakpoint
CREATE INDEX "memories_words" ON "memories" USING gin (words) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "tasks_newest" ON "tasks" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tasks_words" ON "tasks" USING gin (words) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "chat_sessions_words" ON "chat_sessions" USING gin (words) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "memories_session" ON "memories" USING btree ("user_id","session_id","created_at","id");