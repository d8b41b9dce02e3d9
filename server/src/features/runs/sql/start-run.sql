-- For servers of the version before, which know no budgets; the next release drops it.
CREATE OR REPLACE FUNCTION atelier_start_run(
  _uid text, _session uuid, _agent text, _task uuid, _input text, _key text, _hash text, _retry_of uuid, _without uuid[],
  _model text, _process uuid, _lease interval, _at_once integer, _limits jsonb, _again uuid
) RETURNS TABLE (outcome text, plan text, task tasks, agent agents, parent uuid, siblings uuid[]) LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT a.outcome, a.plan, a.task, a.agent, a.parent, a.siblings FROM atelier_accept_run(
    _uid, _session, _agent, _task, _input, _key, _hash, _retry_of, _without, _model, _process, _lease, _at_once, _limits, _again, NULL, NULL, NULL
  ) a;
END $$;
