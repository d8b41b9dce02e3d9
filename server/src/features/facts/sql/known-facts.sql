-- What a run may choose from of an agent's facts, at most `_most` of them, the newest first; null for none. `_scope` is `agent`, `session`
-- or `none`. One memory and session at a time: without statistics, a planner would rather read all of the owner's.
CREATE OR REPLACE FUNCTION atelier_known_facts(_uid text, _agent uuid, _session uuid, _scope text, _most integer) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF _scope = 'none' OR NOT EXISTS (SELECT FROM facts f WHERE f.user_id = _uid AND f.agent_id = _agent) THEN
    RETURN NULL;
  END IF;
  RETURN (
    SELECT json_agg(k) FROM (
      SELECT f.id, f.text, f.about, f.pinned, f.sentence,
        CASE WHEN f.forgotten_at IS NOT NULL THEN 'forgotten'
          WHEN f.later IS NOT NULL OR f.repeats THEN 'replaced' ELSE 'current' END AS state,
        f.corrected_at IS NOT NULL AS corrected,
        floor(extract(epoch FROM coalesce(f.corrected_at, f.said_at)) * 1000) AS at,
        f.session_id AS "sessionId", f.session_name AS "sessionName", f.memory_id AS "memoryId", f.exchange, f.later AS "replacedBy",
        CASE WHEN f.corrected_at IS NOT NULL OR f.forgotten_at IS NOT NULL THEN f.said END AS said
      FROM (
        SELECT f.*, m.created_at AS said_at, m.session_id, m.text AS said, s.name AS session_name,
          CASE WHEN m.origin_id IS NULL THEN m.task_id END AS exchange,
          CASE WHEN f.replaced_by IS NOT NULL OR f.same_as IS NOT NULL THEN atelier_later_fact(_uid, f.replaced_by, f.same_as) END AS later,
          f.same_as IS NOT NULL AND coalesce((
            SELECT atelier_fact_holds(_uid, o.memory_id) FROM facts o WHERE o.user_id = _uid AND o.id = f.same_as), false) AS repeats
        FROM facts f
        CROSS JOIN LATERAL (SELECT * FROM memories m WHERE m.user_id = _uid AND m.id = f.memory_id LIMIT 1) m
        CROSS JOIN LATERAL (SELECT * FROM chat_sessions s WHERE s.user_id = _uid AND s.id = m.session_id LIMIT 1) s
        WHERE f.user_id = _uid AND f.agent_id = _agent AND m.forgotten_at IS NULL AND s.deleted_at IS NULL
          AND (_scope = 'agent' OR m.session_id = _session)
          AND atelier_is_on_path(_uid, m.task_id)
        ORDER BY f.created_at DESC, f.id DESC LIMIT _most
      ) f
    ) k);
END $$;
