-- What the person corrected or refused stays so when they edit the memory; everything else is distilled again.
CREATE OR REPLACE FUNCTION atelier_facts_edited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE facts f SET memory_id = NEW.id, sentence = NULL FROM memories earlier
  WHERE earlier.user_id = NEW.user_id AND (earlier.id = NEW.origin_id OR earlier.origin_id = NEW.origin_id) AND earlier.id <> NEW.id
    AND f.user_id = earlier.user_id AND f.memory_id = earlier.id AND (f.corrected_at IS NOT NULL OR f.forgotten_at IS NOT NULL);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER facts_edited AFTER INSERT ON memories FOR EACH ROW WHEN (NEW.origin_id IS NOT NULL) EXECUTE FUNCTION atelier_facts_edited();
