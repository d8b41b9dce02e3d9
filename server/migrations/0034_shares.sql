CREATE TABLE "shares" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"task_id" uuid,
	"token" text NOT NULL,
	"with_receipts" boolean DEFAULT false NOT NULL,
	"follows" boolean DEFAULT false NOT NULL,
	"task_ids" uuid[] DEFAULT '{}' NOT NULL,
	"has_earlier" boolean DEFAULT false NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shares_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_user_id_session_id_chat_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."chat_sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "shares_token" ON "shares" USING btree ("token");--> statement-breakpoint
CREATE INDEX "shares_session" ON "shares" USING btree ("user_id","session_id");