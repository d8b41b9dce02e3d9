CREATE TABLE "named_sessions" (
	"user_id" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"name" text NOT NULL,
	"session_id" uuid NOT NULL,
	CONSTRAINT "named_sessions_user_id_agent_id_name_pk" PRIMARY KEY("user_id","agent_id","name")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"scopes" text[] NOT NULL,
	"agent_ids" uuid[],
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "named_sessions" ADD CONSTRAINT "named_sessions_user_id_session_id_chat_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."chat_sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "named_sessions_session" ON "named_sessions" USING btree ("user_id","session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");