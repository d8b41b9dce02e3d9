-- Whether what was said in an exchange counts: it is on the chosen path of its session, or a copy of it is on that of another. What has no
-- exchange any more counts. A row and not a value: the planner puts its body in place of the call, which lists need.
CREATE OR REPLACE FUNCTION atelier_path_state(_uid text, _task uuid) RETURNS TABLE (counts boolean) LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT p.on_path OR (p.deleted_at IS NULL AND EXISTS (
      SELECT FROM task_places copy WHERE copy.user_id = p.user_id AND copy.origin_id = p.task_id AND copy.on_path))
    FROM task_places p WHERE p.user_id = _uid AND p.task_id = _task), true)
$$;
--> statement-breakpoint
-- The same as a value, whose plan is kept, for other functions.
CREATE OR REPLACE FUNCTION atelier_is_on_path(_uid text, _task uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT s.counts FROM atelier_path_state(_uid, _task) s);
END $$;
