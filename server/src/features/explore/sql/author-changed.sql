-- An author who is disabled, enabled again or gone takes public agents and favorites along, in everybody's open pages.
CREATE OR REPLACE FUNCTION atelier_author_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify('*', 'explore', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER author_changed AFTER UPDATE OF banned, name ON "user"
  FOR EACH ROW WHEN (OLD.banned IS DISTINCT FROM NEW.banned OR OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION atelier_author_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER author_gone AFTER DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION atelier_author_changed();
