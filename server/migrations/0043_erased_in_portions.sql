-- What an account may have any number of is deleted in portions after the account, so it doesn't hang on it by a foreign key that cascades.
ALTER TABLE "agents" DROP CONSTRAINT "agents_user_id_user_id_fk";
--> statement-breakpoint
ALTER TABLE "attachments" DROP CONSTRAINT "attachments_user_id_user_id_fk";
--> statement-breakpoint
ALTER TABLE "favorites" DROP CONSTRAINT "favorites_user_id_user_id_fk";
--> statement-breakpoint
ALTER TABLE "session_folders" DROP CONSTRAINT "session_folders_user_id_user_id_fk";
--> statement-breakpoint
-- The other half of those foreign keys: a row is only added while its account is there.
CREATE FUNCTION atelier_require_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "user" WHERE id = NEW.user_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING MESSAGE = 'there is no such account';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER agents_of_account BEFORE INSERT ON agents FOR EACH ROW EXECUTE FUNCTION atelier_require_account();
--> statement-breakpoint
CREATE TRIGGER attachments_of_account BEFORE INSERT ON attachments FOR EACH ROW EXECUTE FUNCTION atelier_require_account();
--> statement-breakpoint
CREATE TRIGGER favorites_of_account BEFORE INSERT ON favorites FOR EACH ROW EXECUTE FUNCTION atelier_require_account();
--> statement-breakpoint
CREATE TRIGGER session_folders_of_account BEFORE INSERT ON session_folders FOR EACH ROW EXECUTE FUNCTION atelier_require_account();
--> statement-breakpoint
-- The job that deletes the favorites tells the authors, too.
DROP TRIGGER favorites_leaving ON "user";
--> statement-breakpoint
DROP FUNCTION atelier_favorites_leaving();
