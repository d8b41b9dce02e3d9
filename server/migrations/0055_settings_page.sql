ALTER TABLE "audit_log" ADD COLUMN "change" jsonb;--> statement-breakpoint
CREATE INDEX "user_waiting" ON "user" USING btree ("created_at","id") WHERE waiting_for is not null;