-- Inserts an agent's memories and returns its new version, which they bear. The agent's row is locked from here on.
CREATE OR REPLACE FUNCTION atelier_remember(_uid text, _agent uuid, _memories jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
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
