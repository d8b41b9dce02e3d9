ALTER TABLE "agent_files" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "agent_files" ADD COLUMN "read_at" timestamp (3) with time zone;