-- Where the branch of an exchange ends when the person comes back to it: each time, what was chosen last. Begins with the session itself too.
CREATE OR REPLACE FUNCTION atelier_end_of_branch(_uid text, _from uuid) RETURNS uuid LANGUAGE plpgsql AS $$
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
