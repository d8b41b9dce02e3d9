-- What changes a plan or ends a sign-in is told to every process by the database itself, so that even a change made by hand
-- reaches every open tab.
CREATE FUNCTION atelier_notify(uid text, topic text, id text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('atelier_change', json_build_object('u', uid, 't', topic, 'i', id)::text)
$$;
--> statement-breakpoint
CREATE FUNCTION atelier_plan_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify(NEW.user_id, 'account', NEW.user_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER profiles_plan_changed AFTER UPDATE OF subscription_status ON profiles
  FOR EACH ROW WHEN (OLD.subscription_status IS DISTINCT FROM NEW.subscription_status)
  EXECUTE FUNCTION atelier_plan_changed();
--> statement-breakpoint
CREATE FUNCTION atelier_sign_in_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify(OLD.user_id, 'auth', OLD.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER session_ended AFTER DELETE ON session FOR EACH ROW EXECUTE FUNCTION atelier_sign_in_ended();
--> statement-breakpoint
CREATE FUNCTION atelier_account_banned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify(NEW.id, 'auth', NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER user_banned AFTER UPDATE OF banned ON "user"
  FOR EACH ROW WHEN (OLD.banned IS DISTINCT FROM NEW.banned)
  EXECUTE FUNCTION atelier_account_banned();
