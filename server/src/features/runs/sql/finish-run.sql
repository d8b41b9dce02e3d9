-- Ends a task while this process holds it: its answer, its last events, its count, its memories and the notices. No row: the lease is lost.
-- What was forgotten between its recall and the storing of its receipt is blanked.
-- `_memories` has {id, kind, text}; `version` is the agent's new memory version, null when it remembers nothing.
CREATE OR REPLACE FUNCTION atelier_finish_run(
  _uid text, _task uuid, _process uuid, _attempt integer, _status text, _message text, _usage jsonb, _read_untrusted boolean,
  _error text, _last_seq integer, _events jsonb, _counts boolean, _memories jsonb, _notice text, _model text, _cut text, _thoughts text
) RETURNS TABLE (task tasks, version bigint) LANGUAGE plpgsql AS $$
DECLARE
  gone text[];
BEGIN
  -- Usage first, then the task: every transaction locks them in this order.
  PERFORM FROM usage u WHERE u.user_id = _uid FOR UPDATE;
  UPDATE tasks t SET status = _status, message = _message, token_usage = _usage, read_untrusted = _read_untrusted, error = _error,
    model = _model, cut = _cut, thoughts = _thoughts,
    last_seq = _last_seq,
    memory_used = coalesce(jsonb_path_query_first(_events, '$[*] ? (@.type == "memory").data.items'), t.memory_used),
    memory_partial = t.memory_partial OR jsonb_path_exists(_events, '$[*] ? (@.type == "memory").data.partial'),
    -- Never before it began, even if the clock was set back.
    finished_at = greatest(now(), t.created_at), lease_owner = NULL, lease_until = NULL
    WHERE t.user_id = _uid AND t.id = _task AND t.lease_owner = _process AND t.attempt = _attempt AND atelier_is_in_flight(t.status)
    RETURNING * INTO task;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO task_events (user_id, task_id, seq, type, data)
    SELECT _uid, _task, e.seq, e.type, e.data FROM jsonb_to_recordset(_events) AS e(seq integer, type text, data jsonb);
  SELECT array_agg(item->>'id') INTO gone FROM jsonb_array_elements(task.memory_used) AS item
    -- Rows, not EXISTS, for which the planner may read all memories of the user.
    WHERE NOT item ? 'forgotten' AND (CASE item->>'kind'
      WHEN 'file' THEN true
      WHEN 'fact' THEN (SELECT f.forgotten_at IS NULL FROM facts f WHERE f.user_id = _uid AND f.id = (item->>'id')::uuid)
      ELSE (SELECT m.forgotten_at IS NULL FROM memories m WHERE m.user_id = _uid AND m.id = (item->>'id')::uuid)
    END) IS NOT TRUE;
  IF gone IS NOT NULL THEN
    UPDATE tasks t SET memory_used = atelier_blank(t.memory_used, gone) WHERE t.user_id = _uid AND t.id = _task RETURNING * INTO task;
    UPDATE task_events e SET data = jsonb_set(e.data, '{items}', atelier_blank(e.data->'items', gone))
      WHERE e.user_id = _uid AND e.task_id = _task AND e.type = 'memory' AND jsonb_array_length(e.data->'items') > 0;
  END IF;
  IF _counts THEN
    UPDATE usage SET message_count = message_count + 1, task_count = task_count + 1 WHERE user_id = _uid;
  END IF;
  IF jsonb_array_length(_memories) > 0 AND EXISTS (
    SELECT FROM agents a WHERE a.user_id = _uid AND a.id = task.agent_id AND a.memory_enabled AND a.deleted_at IS NULL
  ) THEN
    version := atelier_remember(_uid, task.agent_id, (
      SELECT jsonb_agg(m || jsonb_build_object('session_id', task.session_id, 'task_id', _task,
        'created_at', CASE m->>'kind' WHEN 'person' THEN task.created_at ELSE task.finished_at END))
      FROM jsonb_array_elements(_memories) AS m));
  END IF;
  PERFORM atelier_notify(_uid, 'tasks', task.session_id::text), atelier_notify(_uid, 'account', _uid), pg_notify('atelier_run', _notice);
  RETURN NEXT;
END $$;
