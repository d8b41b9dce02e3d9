-- Whether what states a fact counts; on a path that the person left, it states nothing.
CREATE OR REPLACE FUNCTION atelier_fact_holds(_uid text, _memory uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT atelier_is_on_path(_uid, m.task_id) FROM memories m WHERE m.user_id = _uid AND m.id = _memory), false);
END $$;
