DROP INDEX "file_passages_changes";--> statement-breakpoint
DROP INDEX "memories_changes";--> statement-breakpoint
CREATE INDEX "file_passages_in_order" ON "file_passages" USING btree ("user_id","agent_id","version","id");--> statement-breakpoint
CREATE INDEX "memories_in_order" ON "memories" USING btree ("user_id","agent_id","version","id");