CREATE TABLE "past_imports" (
	"user_id" text NOT NULL,
	"import_id" uuid NOT NULL,
	"conversations" jsonb NOT NULL,
	"facts" jsonb NOT NULL,
	"chosen_conversations" integer[],
	"chosen_facts" integer[] DEFAULT '{}' NOT NULL,
	"agent_id" uuid,
	"made_agent_id" uuid,
	CONSTRAINT "past_imports_user_id_import_id_pk" PRIMARY KEY("user_id","import_id")
);
--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "account_imports" ADD COLUMN "program" text;--> statement-breakpoint
ALTER TABLE "past_imports" ADD CONSTRAINT "past_imports_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "past_imports" ADD CONSTRAINT "past_imports_user_id_import_id_account_imports_user_id_id_fk" FOREIGN KEY ("user_id","import_id") REFERENCES "public"."account_imports"("user_id","id") ON DELETE cascade ON UPDATE no action;