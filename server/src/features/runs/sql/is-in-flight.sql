-- Whether a task still runs. The planner puts its body in place of the call, so indexes are used.
CREATE OR REPLACE FUNCTION atelier_is_in_flight(_status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT _status IN ('running', 'waiting')
$$;
