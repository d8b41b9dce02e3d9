-- Stores events of tasks that this process holds and tells the other processes; returns those that it stored. `_rows` has
-- {user_id, task_id, attempt, seq, type, data}. A function, because its plans are kept: this runs for each receipt and portion of an answer.
CREATE OR REPLACE FUNCTION atelier_log_events(_rows jsonb, _process uuid, _notice text) RETURNS TABLE (task_id uuid, seq integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    WITH new_rows AS (
      SELECT * FROM jsonb_to_recordset(_rows) AS r(user_id text, task_id uuid, attempt integer, seq integer, type text, data jsonb)
    ), stored AS (
      INSERT INTO task_events (user_id, task_id, seq, type, data)
      SELECT r.user_id, r.task_id, r.seq, r.type, r.data
      FROM new_rows r JOIN tasks t ON t.user_id = r.user_id AND t.id = r.task_id
      WHERE t.lease_owner = _process AND t.attempt = r.attempt AND atelier_is_in_flight(t.status)
      -- A task that is being deleted is waited for, and has no events then.
      FOR KEY SHARE OF t
      -- A repeated statement returns its rows again if its first reply was lost.
      ON CONFLICT (user_id, task_id, seq) DO UPDATE SET type = excluded.type
      RETURNING task_id, seq
    ), receipts AS (
      -- A receipt is on the task too, where it stays.
      UPDATE tasks t SET memory_used = r.data->'items', memory_partial = coalesce((r.data->>'partial')::boolean, false)
      FROM new_rows r
      WHERE r.type = 'memory' AND t.user_id = r.user_id AND t.id = r.task_id
        AND t.lease_owner = _process AND t.attempt = r.attempt AND atelier_is_in_flight(t.status)
    )
    SELECT stored.task_id, stored.seq FROM stored ORDER BY stored.seq;
  PERFORM pg_notify('atelier_run', _notice);
END $$;
