-- What a run reads before its model is asked, as functions: a statement opens every table of its plan each time, and only some agents have
-- facts and pinned memories. And a function that is called with the message's acceptance sees what was stored while it waited for its lock.

-- Whether what states a fact is on the chosen path of its session, or in a copy that is (`isOnPath` in places.table.ts); on a path that the
-- person left, it states nothing.
CREATE FUNCTION atelier_fact_holds(_uid text, _memory uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((
    SELECT coalesce((
      SELECT tp.on_path OR (tp.deleted_at IS NULL AND EXISTS (
        SELECT FROM task_places tc WHERE tc.user_id = tp.user_id AND tc.origin_id = tp.task_id AND tc.on_path))
      FROM task_places tp WHERE tp.user_id = _uid AND tp.task_id = m.task_id), true)
    FROM memories m WHERE m.user_id = _uid AND m.id = _memory), false);
END $$;--> statement-breakpoint
-- The later fact that made one untrue. One that the person has forgotten, or that is on a path they left, does not count, but one that
-- replaced it in turn does.
CREATE FUNCTION atelier_later_fact(_uid text, _replaced_by uuid, _same_as uuid) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
  _next uuid := coalesce(_replaced_by, (SELECT f.replaced_by FROM facts f WHERE f.user_id = _uid AND f.id = _same_as));
  _seen uuid[] := '{}';
  _fact facts;
BEGIN
  WHILE _next IS NOT NULL AND _next <> ALL (_seen) LOOP
    SELECT * INTO _fact FROM facts f WHERE f.user_id = _uid AND f.id = _next;
    IF _fact.forgotten_at IS NULL AND atelier_fact_holds(_uid, _fact.memory_id) THEN
      RETURN _fact.id;
    END IF;
    _seen := _seen || _next;
    _next := _fact.replaced_by;
  END LOOP;
  RETURN NULL;
END $$;--> statement-breakpoint
-- What a run may choose from of an agent's facts, at most `_most` of them, the newest first; null for none. `_scope` is `agent`, `session`
-- or `none`. One memory and session at a time: without statistics, a planner would rather read all of the owner's.
CREATE FUNCTION atelier_known_facts(_uid text, _agent uuid, _session uuid, _scope text, _most integer) RETURNS json LANGUAGE plpgsql STABLE AS $$
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
        f.session_id AS "sessionId", f.session_name AS "sessionName", f.memory_id AS "memoryId", f.later AS "replacedBy",
        CASE WHEN f.corrected_at IS NOT NULL OR f.forgotten_at IS NOT NULL THEN f.said END AS said
      FROM (
        SELECT f.*, m.created_at AS said_at, m.session_id, m.text AS said, s.name AS session_name,
          CASE WHEN f.replaced_by IS NOT NULL OR f.same_as IS NOT NULL THEN atelier_later_fact(_uid, f.replaced_by, f.same_as) END AS later,
          f.same_as IS NOT NULL AND coalesce((
            SELECT atelier_fact_holds(_uid, o.memory_id) FROM facts o WHERE o.user_id = _uid AND o.id = f.same_as), false) AS repeats
        FROM facts f
        CROSS JOIN LATERAL (SELECT * FROM memories m WHERE m.user_id = _uid AND m.id = f.memory_id LIMIT 1) m
        CROSS JOIN LATERAL (SELECT * FROM chat_sessions s WHERE s.user_id = _uid AND s.id = m.session_id LIMIT 1) s
        WHERE f.user_id = _uid AND f.agent_id = _agent AND m.forgotten_at IS NULL AND s.deleted_at IS NULL
          AND (_scope = 'agent' OR m.session_id = _session)
          AND coalesce((
            SELECT tp.on_path OR (tp.deleted_at IS NULL AND EXISTS (
              SELECT FROM task_places tc WHERE tc.user_id = tp.user_id AND tc.origin_id = tp.task_id AND tc.on_path))
            FROM task_places tp WHERE tp.user_id = _uid AND tp.task_id = m.task_id), true)
        ORDER BY f.created_at DESC, f.id DESC LIMIT _most
      ) f
    ) k);
END $$;--> statement-breakpoint
-- Everything that a run needs but its memories: the agent's memory version, the summary of the session's beginning, the finished exchanges
-- after it (newest first, at most `_exchanges`, without `_withheld`), the memories pinned for `_scope` (`agent`, `session` or `none`), the
-- facts, and whether the session has no answer yet. Null when there is no such agent. Of the newest eight exchanges the tools' answers go
-- along, as the beginning of their text; what the searches find is recalled for every message anyway.
CREATE FUNCTION atelier_run_context(
  _uid text, _agent uuid, _session uuid, _scope text, _withheld uuid[], _with_summary boolean, _exchanges integer, _pins integer, _facts integer
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  _version bigint;
  _summary session_summaries;
  _history json;
  _pinned json;
BEGIN
  SELECT a.memory_version INTO _version FROM agents a WHERE a.user_id = _uid AND a.id = _agent;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF _with_summary THEN
    SELECT * INTO _summary FROM session_summaries s WHERE s.user_id = _uid AND s.session_id = _session;
  END IF;
  -- Each exchange by its key: without statistics, a planner would rather read all of the owner's.
  SELECT json_agg(json_build_array(h.input_text, h.message, h.read_untrusted,
      CASE WHEN h.place <= 8 AND h.tool_calls <> '[]' THEN (
        SELECT json_agg(json_build_array(c->>'name', left(c->>'input', 500), left(c->>'output', 8000)) ORDER BY n)
        FROM jsonb_array_elements(h.tool_calls) WITH ORDINALITY AS e(c, n)
        WHERE c->>'state' = 'done' AND c->>'name' NOT IN ('search_memory', 'search_files')) END,
      h.attachments)) INTO _history
    FROM (
      SELECT t.*, row_number() OVER (ORDER BY p.created_at DESC, p.task_id DESC) AS place
      FROM task_places p CROSS JOIN LATERAL (
        SELECT t.id, t.status, t.input_text, t.message, t.read_untrusted, t.tool_calls, t.attachments
        FROM tasks t WHERE t.user_id = _uid AND t.id = p.task_id LIMIT 1) t
      WHERE p.user_id = _uid AND p.session_id = _session AND p.on_path
        AND (t.status = 'done' OR (t.status = 'cancelled' AND t.message <> ''))
        AND (_summary.until IS NULL OR p.created_at > _summary.until)
        AND t.id <> ALL (_withheld)
      ORDER BY p.created_at DESC, p.task_id DESC LIMIT _exchanges
    ) h;
  IF _scope <> 'none' THEN
    -- The agent is not compared with `=`: without statistics, a planner would read all of its memories for the few that are pinned.
    SELECT json_agg(json_build_array(m.id, m.kind, m.text, floor(extract(epoch FROM m.created_at) * 1000), m.session_id, m.name,
        m.kind = 'agent' AND coalesce((SELECT t.read_untrusted FROM tasks t WHERE t.user_id = _uid AND t.id = m.task_id), true),
        m.task_id)) INTO _pinned
      FROM (
        SELECT m.*, s.name
        FROM memories m CROSS JOIN LATERAL (
          SELECT s.name, s.deleted_at FROM chat_sessions s WHERE s.user_id = _uid AND s.id = m.session_id LIMIT 1) s
        WHERE s.deleted_at IS NULL AND m.user_id = _uid AND m.pinned AND m.agent_id IS NOT DISTINCT FROM _agent AND m.forgotten_at IS NULL
          AND (_scope = 'agent' OR m.session_id = _session)
          AND coalesce((
            SELECT tp.on_path OR (tp.deleted_at IS NULL AND EXISTS (
              SELECT FROM task_places tc WHERE tc.user_id = tp.user_id AND tc.origin_id = tp.task_id AND tc.on_path))
            FROM task_places tp WHERE tp.user_id = _uid AND tp.task_id = m.task_id), true)
        ORDER BY m.created_at, m.id LIMIT _pins
      ) m;
  END IF;
  RETURN json_build_object(
    'version', _version,
    'summary', CASE WHEN _summary.user_id IS NOT NULL THEN json_build_object('text', _summary.text, 'kind', _summary.kind,
      'exchanges', _summary.exchanges, 'readUntrusted', _summary.read_untrusted) END,
    'history', _history,
    'pinned', _pinned,
    'facts', atelier_known_facts(_uid, _agent, _session, _scope, _facts),
    'isFirst', NOT EXISTS (
      SELECT FROM task_places p CROSS JOIN LATERAL (
        SELECT t.status FROM tasks t WHERE t.user_id = _uid AND t.id = p.task_id LIMIT 1) t
      WHERE p.user_id = _uid AND p.session_id = _session AND p.on_path AND t.status = 'done'));
END $$;
