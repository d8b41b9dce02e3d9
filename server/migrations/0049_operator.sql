-- functions 70decec10ea4
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_id" text,
	"act" text NOT NULL,
	"subject_id" text,
	"about" text,
	"reason" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject_id","at","id");--> statement-breakpoint
CREATE INDEX "user_newest" ON "user" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "user_words" ON "user" USING gin (to_tsvector('simple'::regconfig, translate(lower(name || ' ' || email), '@._+-/', '      '))) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "user_last_sign_in" ON "user" USING btree (coalesce("last_sign_in_at", "created_at"),"id");