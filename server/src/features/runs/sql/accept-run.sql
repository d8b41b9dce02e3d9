-- Accepts a message: inserts its task with a lease, or says in `outcome` why not. `_limits` has the limits of each plan. A message that takes
-- the place of an earlier one (`_again`) becomes its sibling, and the path leads to it. `_budgets` has the budgets that bind, each with
-- `most` and what this run reserves of it (`need`); null where there are none. The one without room is in `refused_by`, by its place.
CREATE OR REPLACE FUNCTION atelier_accept_run(
  _uid text, _session uuid, _agent text, _task uuid, _input text, _key text, _hash text, _retry_of uuid, _without uuid[],
  _model text, _process uuid, _lease interval, _at_once integer, _limits jsonb, _again uuid,
  _budgets jsonb, _reserved_tokens bigint, _reserved_cost numeric
) RETURNS TABLE (outcome text, plan text, task tasks, agent agents, parent uuid, siblings uuid[], refused_by integer) LANGUAGE plpgsql AS $$
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
  SELECT count(*) INTO _in_flight FROM tasks t WHERE t.user_id = _uid AND atelier_is_in_flight(t.status);
  IF _again IS NOT NULL THEN
    SELECT p.parent_id INTO parent FROM task_places p
      WHERE p.user_id = _uid AND p.task_id = _again AND p.session_id IS NOT DISTINCT FROM _session AND p.deleted_at IS NULL;
  END IF;
  outcome := CASE
    WHEN _agent_id IS NULL THEN 'no_session'
    WHEN _again IS NOT NULL AND parent IS NULL THEN 'no_task'
    WHEN agent.slug <> _agent THEN 'other_agent'
    WHEN agent.deleted_at IS NOT NULL THEN 'agent_deleted'
    WHEN _in_flight >= _at_once THEN 'too_many'
    WHEN _usage.message_count + _in_flight >= (_limits->plan->>'messages')::integer THEN 'message_limit'
    WHEN _usage.task_count + _in_flight >= (_limits->plan->>'tasks')::integer THEN 'task_limit'
    WHEN EXISTS (
      SELECT FROM tasks t WHERE t.user_id = _uid AND t.session_id = _session AND atelier_is_in_flight(t.status)
    ) THEN 'busy'
    ELSE 'started'
  END;
  IF outcome = 'started' AND _budgets IS NOT NULL THEN
    SELECT r.outcome, r.refused_by INTO outcome, refused_by FROM atelier_budget_refusal(_uid, _budgets) r;
    outcome := coalesce(outcome, 'started');
  END IF;
  IF outcome = 'started' THEN
    -- The path goes back to where the earlier one was said; the new one is placed at its end.
    IF parent IS NOT NULL AND atelier_lay_path(_uid, _session, parent) THEN
      PERFORM atelier_notify(_uid, 'facts', _uid);
    END IF;
    INSERT INTO tasks (
      user_id, id, session_id, agent_id, agent_name, input_text, status, model, retry_of, without, idempotency_key, body_hash,
      lease_owner, lease_until, reserved_tokens, reserved_cost, created_at
    ) VALUES (
      _uid, _task, _session, _agent_id, agent.name, _input, 'running', coalesce(_model, agent.model), _retry_of, _without, _key, _hash,
      _process, now() + _lease, _reserved_tokens, _reserved_cost,
      -- Always after the session's last message, even if the clock was set back.
      greatest(now(),
        (SELECT max(p.created_at) + interval '1 millisecond' FROM task_places p
          WHERE p.user_id = _uid AND p.session_id = _session AND p.on_path),
        (SELECT max(p.created_at) + interval '1 millisecond' FROM task_places p
          WHERE p.user_id = _uid AND p.session_id = _session AND NOT p.on_path))
    ) RETURNING * INTO task;
    SELECT p.parent_id, ARRAY(
        SELECT s.task_id FROM task_places s
        WHERE s.user_id = _uid AND s.parent_id = p.parent_id AND s.deleted_at IS NULL
        ORDER BY s.created_at, s.task_id)
      INTO parent, siblings FROM task_places p WHERE p.user_id = _uid AND p.task_id = _task;
    PERFORM atelier_notify(_uid, 'tasks', _session::text), atelier_notify(_uid, 'account', _uid);
  END IF;
  RETURN NEXT;
END $$;
