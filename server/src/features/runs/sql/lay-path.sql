-- Makes the path of a session end with `_tip`, or empties it if that is the session itself. The summary goes if it tells of what was left.
-- True if anything changed. The caller holds the lock on the account's usage.
CREATE OR REPLACE FUNCTION atelier_lay_path(_uid text, _session uuid, _tip uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  _new uuid[];
  _fork uuid;
  _since timestamptz := '-infinity';
  _changed boolean;
BEGIN
  -- Up to the first exchange that is on the path anyway, one row at a time.
  WITH RECURSIVE up AS (
    SELECT p.task_id, p.parent_id, p.on_path, p.created_at FROM task_places p
      WHERE p.user_id = _uid AND p.task_id = _tip AND p.session_id IS NOT DISTINCT FROM _session AND p.deleted_at IS NULL
    UNION ALL
    SELECT b.* FROM up CROSS JOIN LATERAL (
      SELECT p.task_id, p.parent_id, p.on_path, p.created_at FROM task_places p
      WHERE p.user_id = _uid AND p.task_id = up.parent_id LIMIT 1) b
    WHERE NOT up.on_path
  )
  SELECT array_agg(up.task_id) FILTER (WHERE NOT up.on_path), (array_agg(up.task_id) FILTER (WHERE up.on_path))[1],
      coalesce(max(up.created_at) FILTER (WHERE up.on_path), '-infinity')
    INTO _new, _fork, _since FROM up;
  UPDATE task_places p SET on_path = false
    WHERE p.user_id = _uid AND p.session_id = _session AND p.on_path
      AND (_fork IS NULL OR (p.created_at, p.task_id) > (_since, _fork));
  _changed := FOUND;
  UPDATE task_places p SET on_path = true, chosen_at = now() WHERE p.user_id = _uid AND p.task_id = ANY(_new);
  _changed := _changed OR FOUND;
  IF _changed THEN
    DELETE FROM session_summaries s WHERE s.user_id = _uid AND s.session_id = _session AND s.until > _since;
  END IF;
  RETURN _changed;
END $$;
