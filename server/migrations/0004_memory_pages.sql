ALTER TABLE "memories" ADD COLUMN "pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "origin_id" uuid;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "without" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "agents_search" ON "agents" USING gin (to_tsvector('english'::regconfig, left(agents.name || ' ' || agents.prompt, 100000))) WHERE "agents"."is_public" and "agents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "memories_list" ON "memories" USING btree ("user_id","created_at","id") WHERE "memories"."forgotten_at" is null;--> statement-breakpoint
CREATE INDEX "memories_search" ON "memories" USING gin (to_tsvector('english'::regconfig, left(memories.text, 100000)));--> statement-breakpoint
CREATE INDEX "tasks_search" ON "tasks" USING gin (to_tsvector('english'::regconfig, left(tasks.input_text || ' ' || tasks.message, 100000)));