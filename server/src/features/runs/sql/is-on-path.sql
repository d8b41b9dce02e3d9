-- Whether what was said in an exchange counts, as `isOnPath` in places.table.ts has it for lists, whose statements a function would slow down.
CREATE OR REPLACE FUNCTION atelier_is_on_path(_uid text, _task uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((
    SELECT p.on_path OR (p.deleted_at IS NULL AND EXISTS (
      SELECT FROM task_places copy WHERE copy.user_id = p.user_id AND copy.origin_id = p.task_id AND copy.on_path))
    FROM task_places p WHERE p.user_id = _uid AND p.task_id = _task), true);
END $$;
