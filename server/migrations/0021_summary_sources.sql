ALTER TABLE "session_summaries" ADD COLUMN "read_untrusted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "session_summaries" s SET "read_untrusted" = true WHERE EXISTS (
  SELECT FROM "tasks" t WHERE t.user_id = s.user_id AND t.session_id = s.session_id AND t.read_untrusted AND t.created_at <= s.until);
