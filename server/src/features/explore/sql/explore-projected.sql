-- The projection by tags holds the living public agents and nothing else, from the very transaction on that changes one.
CREATE OR REPLACE FUNCTION atelier_explore_projected() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.tags = NEW.tags AND OLD.is_public = NEW.is_public
    AND (OLD.deleted_at IS NULL) = (NEW.deleted_at IS NULL) THEN
    IF OLD.favorite_count <> NEW.favorite_count THEN
      UPDATE explore_tags SET favorite_count = NEW.favorite_count WHERE creator_id = NEW.user_id AND agent_id = NEW.id;
    END IF;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM explore_tags WHERE creator_id = NEW.user_id AND agent_id = NEW.id;
  END IF;
  IF NEW.is_public AND NEW.deleted_at IS NULL THEN
    INSERT INTO explore_tags (tag, creator_id, agent_id, favorite_count)
      SELECT DISTINCT tag, NEW.user_id, NEW.id, NEW.favorite_count FROM unnest(NEW.tags) AS tag;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER agents_explore_projected AFTER INSERT OR UPDATE OF tags, is_public, deleted_at, favorite_count ON agents
  FOR EACH ROW EXECUTE FUNCTION atelier_explore_projected();
