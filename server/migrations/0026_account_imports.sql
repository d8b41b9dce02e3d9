CREATE TABLE "account_imports" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"state" text NOT NULL,
	"file_name" text NOT NULL,
	"key" text,
	"made_at" timestamp (3) with time zone NOT NULL,
	"agent_names" text[] NOT NULL,
	"counts" jsonb NOT NULL,
	"notes" text[] DEFAULT '{}' NOT NULL,
	"parts_done" integer DEFAULT 0 NOT NULL,
	"rows_done" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "account_imports_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "account_imports" ADD CONSTRAINT "account_imports_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_imports_one_running" ON "account_imports" USING btree ("user_id") WHERE "account_imports"."state" = 'running';