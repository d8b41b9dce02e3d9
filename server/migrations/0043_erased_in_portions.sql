-- What an account may have any number of is deleted in portions after the account, so it doesn't hang on it by a foreign key that cascades.
ALTER TABLE "agents" DROP CONSTRAINT "agents_user_id_user_id_fk";
--> statement-breakpoint
ALTER TABLE "attachments" DROP CONSTRAINT "attachments_user_id_user_id_fk";
--> statement-breakpoint
ALTER TABLE "favorites" DROP CONSTRAINT "favorites_user_id_user_id_fk";
--> statement-breakpoint
ALTER TABLE "session_folders" DROP CONSTRAINT "session_folders_user_id_user_id_fk";
--> statement-breakpoint
-- The job that deletes the favorites tells the authors, too.
DROP TRIGGER favorites_leaving ON "user";
--> statement-breakpoint
DROP FUNCTION atelier_favorites_leaving();
