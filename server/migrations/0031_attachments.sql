CREATE TABLE "attachments" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"type" text NOT NULL,
	"kind" text NOT NULL,
	"size" integer NOT NULL,
	"width" integer,
	"height" integer,
	"text" text DEFAULT '' NOT NULL,
	"note" text,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "attachments_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "attachments" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachments_session" ON "attachments" USING btree ("user_id","session_id");--> statement-breakpoint
CREATE INDEX "attachments_unused" ON "attachments" USING btree ("created_at") WHERE "attachments"."sent_at" is null or "attachments"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "tasks_attached" ON "tasks" USING btree ("user_id") WHERE "tasks"."attachments" <> '[]';