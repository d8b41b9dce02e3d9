CREATE OR REPLACE FUNCTION atelier_account_banned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify(NEW.id, 'auth', NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER user_banned AFTER UPDATE OF banned ON "user"
  FOR EACH ROW WHEN (OLD.banned IS DISTINCT FROM NEW.banned)
  EXECUTE FUNCTION atelier_account_banned();
