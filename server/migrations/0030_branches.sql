CREATE TABLE "task_places" (
	"user_id" text NOT NULL,
	"task_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"parent_id" uuid NOT NULL,
	"on_path" boolean NOT NULL,
	"chosen_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"origin_id" uuid,
	"deleted_at" timestamp (3) with time zone,
	"followers" uuid[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "task_places_user_id_task_id_pk" PRIMARY KEY("user_id","task_id")
);
--> statement-breakpoint
ALTER TABLE "task_places" ADD CONSTRAINT "task_places_user_id_task_id_tasks_user_id_id_fk" FOREIGN KEY ("user_id","task_id") REFERENCES "public"."tasks"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "task_places_path" ON "task_places" USING btree ("user_id","session_id","on_path","created_at","task_id");--> statement-breakpoint
CREATE INDEX "task_places_siblings" ON "task_places" USING btree ("user_id","parent_id","created_at","task_id");--> statement-breakpoint
CREATE INDEX "task_places_copies" ON "task_places" USING btree ("user_id","origin_id") WHERE "task_places"."origin_id" is not null;--> statement-breakpoint
-- Lookups by an exchange, or by what it follows, don't compare the session with `=`: without statistics, a planner often takes the session's
-- index for them, and reads the whole session each time.
-- What was said so far is one path.
INSERT INTO task_places (user_id, task_id, session_id, parent_id, on_path, chosen_at, created_at)
  SELECT user_id, id, session_id, coalesce(lag(id) OVER (PARTITION BY user_id, session_id ORDER BY created_at, id), session_id),
    true, created_at, created_at
  FROM tasks;
--> statement-breakpoint
-- A new exchange follows the one on the path that is older than it. Whatever followed that one on the path follows the new one.
CREATE FUNCTION atelier_place_task() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  _parent uuid := coalesce((
    SELECT p.task_id FROM task_places p
    WHERE p.user_id = NEW.user_id AND p.session_id = NEW.session_id AND p.on_path
      AND (p.created_at, p.task_id) < (NEW.created_at, NEW.id)
    ORDER BY p.created_at DESC, p.task_id DESC LIMIT 1), NEW.session_id);
BEGIN
  UPDATE task_places p SET parent_id = NEW.id
    WHERE p.user_id = NEW.user_id AND p.parent_id = _parent AND p.on_path;
  INSERT INTO task_places (user_id, task_id, session_id, parent_id, on_path, chosen_at, created_at)
    VALUES (NEW.user_id, NEW.id, NEW.session_id, _parent, true, NEW.created_at, NEW.created_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tasks_placed AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION atelier_place_task();
--> statement-breakpoint
-- Makes the path of a session end with `_tip`, or empties it if that is the session itself. The summary goes if it tells of what was left.
-- True if anything changed. The caller holds the lock on the account's usage.
CREATE FUNCTION atelier_lay_path(_uid text, _session uuid, _tip uuid) RETURNS boolean LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
-- Where the branch of an exchange ends when the person comes back to it: each time, what was chosen last. Begins with the session itself too.
CREATE FUNCTION atelier_end_of_branch(_uid text, _from uuid) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  _at uuid := _from;
  _next uuid;
BEGIN
  LOOP
    SELECT p.task_id INTO _next FROM task_places p
      WHERE p.user_id = _uid AND p.parent_id = _at AND p.deleted_at IS NULL
      ORDER BY p.chosen_at DESC, p.created_at DESC, p.task_id DESC LIMIT 1;
    IF NOT FOUND THEN
      RETURN _at;
    END IF;
    _at := _next;
  END LOOP;
END $$;
--> statement-breakpoint
DROP FUNCTION atelier_start_run(text, uuid, text, uuid, text, text, text, uuid, uuid[], text, uuid, interval, integer, jsonb);
--> statement-breakpoint
-- The same as before; a message that takes the place of an earlier one (`_again`) becomes its sibling, and the path leads to it.
-- Accepts a message: inserts its task with a lease, or says in `outcome` why not. `_limits` has the limits of each plan.
CREATE FUNCTION atelier_start_run(
  _uid text, _session uuid, _agent text, _task uuid, _input text, _key text, _hash text, _retry_of uuid, _without uuid[],
  _model text, _process uuid, _lease interval, _at_once integer, _limits jsonb, _again uuid
) RETURNS TABLE (outcome text, plan text, task tasks, agent agents, parent uuid, siblings uuid[]) LANGUAGE plpgsql AS $$
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
      SELECT FROM tasks t WHERE t.user_id = _uid AND t.session_id = _session AND t.status IN ('running', 'waiting')
    ) THEN 'busy'
    ELSE 'started'
  END;
  IF outcome = 'started' THEN
    -- The path goes back to where the earlier one was said; the new one is placed at its end.
    IF parent IS NOT NULL AND atelier_lay_path(_uid, _session, parent) THEN
      PERFORM atelier_notify(_uid, 'facts', _uid);
    END IF;
    INSERT INTO tasks (
      user_id, id, session_id, agent_id, agent_name, input_text, status, model, retry_of, without, idempotency_key, body_hash,
      lease_owner, lease_until, created_at
    ) VALUES (
      _uid, _task, _session, _agent_id, agent.name, _input, 'running', coalesce(_model, agent.model), _retry_of, _without, _key, _hash,
      _process, now() + _lease,
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
