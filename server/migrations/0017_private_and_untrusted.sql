ALTER TABLE "tool_grants" ADD COLUMN "binding" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_grants" ADD COLUMN "dangerous" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_grants" DROP CONSTRAINT "tool_grants_user_id_session_id_tool_pk";--> statement-breakpoint
ALTER TABLE "tool_grants" ADD CONSTRAINT "tool_grants_user_id_session_id_tool_binding_pk" PRIMARY KEY("user_id","session_id","tool","binding");--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "tool_pins" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "foreign_prompt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "read_untrusted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Grants were bound to a tool's name alone; each is asked for once more.
DELETE FROM "tool_grants";--> statement-breakpoint
-- Copies made so far have the prompt of somebody else.
UPDATE "agents" SET "foreign_prompt" = true WHERE "fork_base" IS NOT NULL AND "forked_from_user" IS DISTINCT FROM "user_id";--> statement-breakpoint
-- Answers that used tools or files may repeat the words of others.
UPDATE "tasks" SET "read_untrusted" = true WHERE jsonb_array_length("tool_calls") > 0 OR "memory_used" @> '[{"kind": "file"}]';
