CREATE TABLE "fact_settings" (
	"user_id" text PRIMARY KEY NOT NULL,
	"distil" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"sentence" smallint,
	"text" text NOT NULL,
	"about" text NOT NULL,
	"statement" text NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"corrected_at" timestamp (3) with time zone,
	"forgotten_at" timestamp (3) with time zone,
	"replaced_by" uuid,
	"same_as" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "facts_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "fact_settings" ADD CONSTRAINT "fact_settings_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facts" ADD CONSTRAINT "facts_user_id_agent_id_agents_user_id_id_fk" FOREIGN KEY ("user_id","agent_id") REFERENCES "public"."agents"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facts" ADD CONSTRAINT "facts_user_id_memory_id_memories_user_id_id_fk" FOREIGN KEY ("user_id","memory_id") REFERENCES "public"."memories"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "facts_agent" ON "facts" USING btree ("user_id","agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "facts_memory" ON "facts" USING btree ("user_id","memory_id");--> statement-breakpoint
CREATE INDEX "facts_replaced" ON "facts" USING btree ("user_id","replaced_by") WHERE "facts"."replaced_by" is not null;--> statement-breakpoint
CREATE INDEX "facts_same" ON "facts" USING btree ("user_id","same_as") WHERE "facts"."same_as" is not null;--> statement-breakpoint
-- Without the fact that replaced or repeats it, an earlier one stands for itself again.
ALTER TABLE "facts" ADD CONSTRAINT "facts_replaced_by_fk" FOREIGN KEY ("user_id","replaced_by") REFERENCES "facts"("user_id","id") ON DELETE SET NULL ("replaced_by");--> statement-breakpoint
ALTER TABLE "facts" ADD CONSTRAINT "facts_same_as_fk" FOREIGN KEY ("user_id","same_as") REFERENCES "facts"("user_id","id") ON DELETE SET NULL ("same_as");--> statement-breakpoint
ALTER TABLE "facts" ALTER COLUMN "text" SET STATISTICS 0;--> statement-breakpoint
-- A fact goes with the words it came from, whichever way they go.
CREATE FUNCTION atelier_facts_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM facts WHERE user_id = NEW.user_id AND memory_id = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
-- At the end of the transaction: an edited memory is forgotten before its new version, which takes over some facts, is there.
CREATE CONSTRAINT TRIGGER facts_forgotten AFTER UPDATE OF forgotten_at ON memories DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.forgotten_at IS NULL AND NEW.forgotten_at IS NOT NULL) EXECUTE FUNCTION atelier_facts_forgotten();--> statement-breakpoint
-- What the person corrected or refused stays so when they edit the memory; everything else is distilled again.
CREATE FUNCTION atelier_facts_edited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE facts f SET memory_id = NEW.id, sentence = NULL FROM memories earlier
  WHERE earlier.user_id = NEW.user_id AND (earlier.id = NEW.origin_id OR earlier.origin_id = NEW.origin_id) AND earlier.id <> NEW.id
    AND f.user_id = earlier.user_id AND f.memory_id = earlier.id AND (f.corrected_at IS NOT NULL OR f.forgotten_at IS NOT NULL);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER facts_edited AFTER INSERT ON memories FOR EACH ROW WHEN (NEW.origin_id IS NOT NULL) EXECUTE FUNCTION atelier_facts_edited();
