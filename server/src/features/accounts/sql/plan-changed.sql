CREATE OR REPLACE FUNCTION atelier_plan_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify(NEW.user_id, 'account', NEW.user_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER profiles_plan_changed AFTER UPDATE OF subscription_status ON profiles
  FOR EACH ROW WHEN (OLD.subscription_status IS DISTINCT FROM NEW.subscription_status)
  EXECUTE FUNCTION atelier_plan_changed();
