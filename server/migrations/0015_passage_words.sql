-- The words of what stands in files, as of everything that is searched; see 0013.
ALTER TABLE "file_passages" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (array_to_tsvector(ARRAY['of ' || user_id])
  || to_tsvector('english'::regconfig, left(text, 100000))) STORED;--> statement-breakpoint
ALTER TABLE "file_passages" ALTER COLUMN "words" SET STATISTICS 0;--> statement-breakpoint
CREATE INDEX "file_passages_newest" ON "file_passages" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "file_passages_words" ON "file_passages" USING gin (words) WITH (fastupdate=false);