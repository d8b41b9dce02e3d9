-- The steps of an exchange that write, each in one round trip (docs/decisions/0022-short-way.md). Each statement of a function sees what
-- was committed before it, so the lock on the usage makes the counts below it exact; in one plain statement it would not.

-- Inserts an agent's memories and returns its new version, which they bear. The agent's row is locked from here on.
CREATE FUNCTION atelier_remember(_uid text, _agent uuid, _memories jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  _version bigint;
BEGIN
  UPDATE agents SET memory_version = memory_version + 1 WHERE user_id = _uid AND id = _agent RETURNING memory_version INTO _version;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no agent %', _agent;
  END IF;
  INSERT INTO memories (user_id, id, agent_id, session_id, task_id, kind, speaker, text, version, created_at)
    SELECT _uid, m.id, _agent, m.session_id, m.task_id, m.kind, m.speaker, m.text, _version, m.created_at
    FROM jsonb_to_recordset(_memories)
      AS m(id uuid, session_id uuid, task_id uuid, kind text, speaker text, text text, created_at timestamptz);
  RETURN _version;
END $$;
--> statement-breakpoint
-- Accepts a message: inserts its task with a lease, or says in `outcome` why not. `_limits` has the limits of each plan.
CREATE FUNCTION atelier_start_run(
  _uid text, _session uuid, _agent text, _task uuid, _input text, _key text, _hash text, _retry_of uuid, _without uuid[],
  _model text, _process uuid, _lease interval, _at_once integer, _limits jsonb
) RETURNS TABLE (outcome text, plan text, task tasks, agent agents) LANGUAGE plpgsql AS $$
DECLARE
  _usage usage;
  _agent_id uuid;
  _in_flight integer;
BEGIN
  -- Lock first: from here on nobody else can start or end a run of this account.
  SELECT * INTO STRICT _usage FROM usage u WHERE u.user_id = _uid FOR UPDATE;
  SELECT p.subscription_status INTO STRICT plan FROM profiles p WHERE p.user_id = _uid;

  -- What this request started before: by its key, or as the one retry of a task.
  IF _retry_of IS NOT NULL THEN
    SELECT * INTO task FROM tasks t WHERE t.user_id = _uid AND t.retry_of = _retry_of;
  ELSIF _key IS NOT NULL THEN
    UPDATE tasks t SET idempotency_key = NULL
      WHERE t.user_id = _uid AND t.idempotency_key = _key AND t.created_at < now() - interval '24 hours';
    SELECT * INTO task FROM tasks t WHERE t.user_id = _uid AND t.idempotency_key = _key;
  END IF;
  IF task.id IS NOT NULL THEN
    outcome := CASE WHEN _retry_of IS NULL AND task.body_hash IS DISTINCT FROM _hash THEN 'other_body' ELSE 'earlier' END;
    RETURN NEXT;
    RETURN;
  END IF;

  SELECT s.agent_id INTO _agent_id FROM chat_sessions s WHERE s.user_id = _uid AND s.id = _session AND s.deleted_at IS NULL;
  SELECT * INTO agent FROM agents a WHERE a.user_id = _uid AND a.id = _agent_id;
  SELECT count(*) INTO _in_flight FROM tasks t WHERE t.user_id = _uid AND t.status IN ('running', 'waiting');
  outcome := CASE
    WHEN _agent_id IS NULL THEN 'no_session'
    WHEN agent.slug <> _agent THEN 'other_agent'
    WHEN agent.deleted_at IS NOT NULL THEN 'agent_deleted'
    WHEN _in_flight >= _at_once THEN 'too_many'
    WHEN _usage.message_count + _in_flight >= (_limits->plan->>'messages')::integer THEN 'message_limit'
    WHEN _usage.task_count + _in_flight >= (_limits->plan->>'tasks')::integer THEN 'task_limit'
    WHEN EXISTS (
      SELECT FROM tasks t WHERE t.user_id = _uid AND t.session_id = _session AND t.status IN ('running', 'waiting')
    ) THEN 'busy'
    ELSE 'started'
  END;
  IF outcome = 'started' THEN
    INSERT INTO tasks (
      user_id, id, session_id, agent_id, agent_name, input_text, status, model, retry_of, without, idempotency_key, body_hash,
      lease_owner, lease_until, created_at
    ) VALUES (
      _uid, _task, _session, _agent_id, agent.name, _input, 'running', coalesce(_model, agent.model), _retry_of, _without, _key, _hash,
      _process, now() + _lease,
      -- Always after the session's last message, even if the clock was set back.
      greatest(now(), (SELECT max(t.created_at) + interval '1 millisecond' FROM tasks t WHERE t.user_id = _uid AND t.session_id = _session))
    ) RETURNING * INTO task;
    PERFORM atelier_notify(_uid, 'tasks', _session::text), atelier_notify(_uid, 'account', _uid);
  END IF;
  RETURN NEXT;
END $$;
--> statement-breakpoint
-- Ends a task while this process holds it: its answer, its last events, its count, its memories and the notices. No row: the lease is lost.
-- `_memories` has {id, kind, text}; `version` is the agent's new memory version, null when it remembers nothing.
CREATE FUNCTION atelier_finish_run(
  _uid text, _task uuid, _process uuid, _attempt integer, _status text, _message text, _usage jsonb, _read_untrusted boolean,
  _error text, _last_seq integer, _events jsonb, _counts boolean, _memories jsonb, _notice text
) RETURNS TABLE (task tasks, version bigint) LANGUAGE plpgsql AS $$
BEGIN
  -- Usage first, then the task: every transaction locks them in this order.
  PERFORM FROM usage u WHERE u.user_id = _uid FOR UPDATE;
  UPDATE tasks t SET status = _status, message = _message, token_usage = _usage, read_untrusted = _read_untrusted, error = _error,
    last_seq = _last_seq,
    memory_used = coalesce(jsonb_path_query_first(_events, '$[*] ? (@.type == "memory").data.items'), t.memory_used),
    memory_partial = t.memory_partial OR jsonb_path_exists(_events, '$[*] ? (@.type == "memory").data.partial'),
    -- Never before it began, even if the clock was set back.
    finished_at = greatest(now(), t.created_at), lease_owner = NULL, lease_until = NULL
    WHERE t.user_id = _uid AND t.id = _task AND t.lease_owner = _process AND t.attempt = _attempt AND t.status IN ('running', 'waiting')
    RETURNING * INTO task;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO task_events (user_id, task_id, seq, type, data)
    SELECT _uid, _task, e.seq, e.type, e.data FROM jsonb_to_recordset(_events) AS e(seq integer, type text, data jsonb);
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
