-- What changes a plan or ends a sign-in is told to every process by the database itself, so that even a change made by hand
-- reaches every open tab.
CREATE OR REPLACE FUNCTION atelier_notify(uid text, topic text, id text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('atelier_change', json_build_object('u', uid, 't', topic, 'i', id)::text)
$$;
