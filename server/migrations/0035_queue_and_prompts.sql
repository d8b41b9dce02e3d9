CREATE TABLE "saved_prompts" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_prompts_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "queued_messages" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"input_text" text NOT NULL,
	"reason" text,
	"waiting_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sending_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "queued_messages_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "saved_prompts" ADD CONSTRAINT "saved_prompts_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queued_messages" ADD CONSTRAINT "queued_messages_user_id_session_id_chat_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."chat_sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_prompts_name" ON "saved_prompts" USING btree ("user_id",lower("name"));--> statement-breakpoint
CREATE INDEX "queued_messages_order" ON "queued_messages" USING btree ("user_id","session_id","created_at","id");