ALTER TABLE "agent_files" ADD COLUMN "progress" text;--> statement-breakpoint
ALTER TABLE "agent_files" ADD COLUMN "pictures" boolean DEFAULT false NOT NULL;