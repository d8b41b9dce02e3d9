-- In place of foreign keys that would cascade (decision 0051): a row is only added while its account is there.
CREATE OR REPLACE FUNCTION atelier_require_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "user" WHERE id = NEW.user_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING MESSAGE = 'there is no such account';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER agents_of_account BEFORE INSERT ON agents FOR EACH ROW EXECUTE FUNCTION atelier_require_account();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER attachments_of_account BEFORE INSERT ON attachments FOR EACH ROW EXECUTE FUNCTION atelier_require_account();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER favorites_of_account BEFORE INSERT ON favorites FOR EACH ROW EXECUTE FUNCTION atelier_require_account();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER session_folders_of_account BEFORE INSERT ON session_folders FOR EACH ROW EXECUTE FUNCTION atelier_require_account();
