-- Everything that a run needs but its memories: the agent's memory version, the summary of the session's beginning, the finished exchanges
-- after it (newest first, at most `_exchanges`, without `_withheld`), the memories pinned for `_scope` (`agent`, `session` or `none`), the
-- facts, and whether the session has no answer yet. Null when there is no such agent. Of the newest eight exchanges the tools' answers go
-- along, as the beginning of their text; what the searches find is recalled for every message anyway. An exchange is named as memories name it: a copy by its original.
CREATE OR REPLACE FUNCTION atelier_run_context(
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
  -- From where the summary ends, and not "or there is none", with which the index would be read to the session's first exchange for every
  -- message. Each exchange by its key: without statistics, a planner would rather read all of the owner's.
  SELECT json_agg(json_build_array(h.input_text, h.message, h.read_untrusted,
      CASE WHEN h.place <= 8 AND h.tool_calls <> '[]' THEN (
        SELECT json_agg(json_build_array(c->>'name', left(c->>'input', 500), left(c->>'output', 8000)) ORDER BY n)
        FROM jsonb_array_elements(h.tool_calls) WITH ORDINALITY AS e(c, n)
        WHERE c->>'state' = 'done' AND c->>'name' NOT IN ('search_memory', 'search_files')) END,
      h.attachments, h.exchange)) INTO _history
    FROM (
      SELECT t.*, coalesce(p.origin_id, p.task_id) AS exchange, row_number() OVER (ORDER BY p.created_at DESC, p.task_id DESC) AS place
      FROM task_places p CROSS JOIN LATERAL (
        SELECT t.id, t.status, t.input_text, t.message, t.read_untrusted, t.tool_calls, t.attachments
        FROM tasks t WHERE t.user_id = _uid AND t.id = p.task_id LIMIT 1) t
      WHERE p.user_id = _uid AND p.session_id = _session AND p.on_path
        AND (t.status = 'done' OR (t.status = 'cancelled' AND t.message <> ''))
        AND p.created_at > coalesce(_summary.until, '-infinity')
        AND t.id <> ALL (_withheld)
      ORDER BY p.created_at DESC, p.task_id DESC LIMIT _exchanges
    ) h;
  IF _scope <> 'none' THEN
    -- The agent is not compared with `=`: without statistics, a planner would read all of its memories for the few that are pinned.
    SELECT json_agg(json_build_array(m.id, m.kind, m.text, floor(extract(epoch FROM m.created_at) * 1000), m.session_id, m.name,
        m.kind = 'agent' AND coalesce((SELECT t.read_untrusted FROM tasks t WHERE t.user_id = _uid AND t.id = m.task_id), true),
        m.task_id, CASE WHEN m.origin_id IS NULL THEN m.task_id END)) INTO _pinned
      FROM (
        SELECT m.*, s.name
        FROM memories m CROSS JOIN LATERAL (
          SELECT s.name, s.deleted_at FROM chat_sessions s WHERE s.user_id = _uid AND s.id = m.session_id LIMIT 1) s
        WHERE s.deleted_at IS NULL AND m.user_id = _uid AND m.pinned AND m.agent_id IS NOT DISTINCT FROM _agent AND m.forgotten_at IS NULL
          AND (_scope = 'agent' OR m.session_id = _session)
          AND atelier_is_on_path(_uid, m.task_id)
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
