ALTER TABLE "payments" ADD COLUMN "attention" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "answer" text;--> statement-breakpoint
CREATE INDEX "payments_list" ON "payments" USING btree ("attention","reference");--> statement-breakpoint
CREATE INDEX "contact_messages_box" ON "contact_messages" USING btree ((case when answered_at is not null then 'answered' when state = 'held' then 'held' else 'open' end),"created_at","id");--> statement-breakpoint
CREATE INDEX "tasks_failed" ON "tasks" USING btree ("finished_at") WHERE status in ('failed', 'interrupted');--> statement-breakpoint
UPDATE "payments" p SET "attention" = true WHERE p."state" IN ('refund_due', 'refused') OR EXISTS (
  SELECT FROM "payment_events" e WHERE e."user_id" = p."user_id" AND e."reference" = p."reference" AND e."entry" LIKE '%.%');
