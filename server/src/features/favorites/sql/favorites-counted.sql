-- An agent's favorite count is the number of its favorite records, whichever way a record comes or goes.
CREATE OR REPLACE FUNCTION atelier_favorites_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE agents SET favorite_count = favorite_count + 1 WHERE user_id = NEW.creator_id AND id = NEW.agent_id;
  ELSE
    UPDATE agents SET favorite_count = favorite_count - 1 WHERE user_id = OLD.creator_id AND id = OLD.agent_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER favorites_counted AFTER INSERT OR DELETE ON favorites
  FOR EACH ROW EXECUTE FUNCTION atelier_favorites_counted();
