-- Before the delete: the favorites go with the account, and the authors of those agents see other counts.
CREATE OR REPLACE FUNCTION atelier_favorites_leaving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM atelier_notify(creator_id, 'agents', '')
    FROM (SELECT DISTINCT creator_id FROM favorites WHERE user_id = OLD.id) AS creators;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER favorites_leaving BEFORE DELETE ON "user" FOR EACH ROW EXECUTE FUNCTION atelier_favorites_leaving();
