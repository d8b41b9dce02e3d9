-- A new exchange follows the one on the path that is older than it. Whatever followed that one on the path follows the new one.
CREATE OR REPLACE FUNCTION atelier_place_task() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  _parent uuid := coalesce((
    SELECT p.task_id FROM task_places p
    WHERE p.user_id = NEW.user_id AND p.session_id = NEW.session_id AND p.on_path
      AND (p.created_at, p.task_id) < (NEW.created_at, NEW.id)
    ORDER BY p.created_at DESC, p.task_id DESC LIMIT 1), NEW.session_id);
BEGIN
  UPDATE task_places p SET parent_id = NEW.id
    WHERE p.user_id = NEW.user_id AND p.parent_id = _parent AND p.on_path;
  INSERT INTO task_places (user_id, task_id, session_id, parent_id, on_path, chosen_at, created_at)
    VALUES (NEW.user_id, NEW.id, NEW.session_id, _parent, true, NEW.created_at, NEW.created_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER tasks_placed AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION atelier_place_task();
