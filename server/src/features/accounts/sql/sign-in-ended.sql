CREATE OR REPLACE FUNCTION atelier_sign_in_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify(OLD.user_id, 'auth', OLD.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER session_ended AFTER DELETE ON session FOR EACH ROW EXECUTE FUNCTION atelier_sign_in_ended();
