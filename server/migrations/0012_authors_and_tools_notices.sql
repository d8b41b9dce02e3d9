-- An author who is disabled, enabled again or gone takes public agents and favorites along, in everybody's open pages.
CREATE FUNCTION atelier_author_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify('*', 'explore', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER author_changed AFTER UPDATE OF banned, name ON "user"
  FOR EACH ROW WHEN (OLD.banned IS DISTINCT FROM NEW.banned OR OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION atelier_author_changed();
--> statement-breakpoint
CREATE TRIGGER author_gone AFTER DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION atelier_author_changed();
--> statement-breakpoint
-- Before the delete: the favorites go with the account, and the authors of those agents see other counts.
CREATE FUNCTION atelier_favorites_leaving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify(creator_id, 'agents', '')
    FROM (SELECT DISTINCT creator_id FROM favorites WHERE user_id = OLD.id) AS creators;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER favorites_leaving BEFORE DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION atelier_favorites_leaving();
--> statement-breakpoint
-- The tools of the operator's servers are in everybody's catalogue, and are approved from a terminal.
CREATE FUNCTION atelier_operator_tools_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify('*', 'tools', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER operator_tools_changed AFTER INSERT OR UPDATE OR DELETE ON operator_tool_pins
  FOR EACH STATEMENT EXECUTE FUNCTION atelier_operator_tools_changed();
