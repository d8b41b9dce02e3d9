-- A fact goes with the words it came from, whichever way they go.
CREATE OR REPLACE FUNCTION atelier_facts_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM facts WHERE user_id = NEW.user_id AND memory_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- At the end of the transaction: an edited memory is forgotten before its new version, which takes over some facts, is there.
DROP TRIGGER IF EXISTS facts_forgotten ON memories;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER facts_forgotten AFTER UPDATE OF forgotten_at ON memories DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.forgotten_at IS NULL AND NEW.forgotten_at IS NOT NULL) EXECUTE FUNCTION atelier_facts_forgotten();
