ALTER TABLE "tasks" ADD COLUMN "memory_partial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "tasks_receipts" ON "tasks" USING gin (jsonb_path_query_array(memory_used, '$[*].id')) WITH (fastupdate=false);--> statement-breakpoint
-- No plan asks what stands in texts, and reading them is most of what statistics take.
ALTER TABLE "tasks" ALTER COLUMN "input_text" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "message" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "memory_used" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "tool_calls" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "memories" ALTER COLUMN "text" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "file_passages" ALTER COLUMN "text" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "agents" ALTER COLUMN "prompt" SET STATISTICS 0;