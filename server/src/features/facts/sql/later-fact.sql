-- The later fact that made one untrue. One that the person has forgotten, or that is on a path they left, does not count, but one that
-- replaced it in turn does.
CREATE OR REPLACE FUNCTION atelier_later_fact(_uid text, _replaced_by uuid, _same_as uuid) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
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
END $$;
