CREATE TABLE "operator_tool_pins" (
	"server" text NOT NULL,
	"name" text NOT NULL,
	"approved" jsonb,
	"offered" jsonb,
	"changed_at" timestamp (3) with time zone,
	CONSTRAINT "operator_tool_pins_server_name_pk" PRIMARY KEY("server","name")
);
--> statement-breakpoint
CREATE TABLE "passage_vectors" (
	"user_id" text NOT NULL,
	"passage_id" uuid NOT NULL,
	"space" text NOT NULL,
	"vector" "bytea" NOT NULL,
	CONSTRAINT "passage_vectors_user_id_passage_id_pk" PRIMARY KEY("user_id","passage_id")
);
--> statement-breakpoint
ALTER TABLE "agent_files" ADD COLUMN "reading_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agent_files" ADD COLUMN "readings" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "offered" jsonb;--> statement-breakpoint
ALTER TABLE "passage_vectors" ADD CONSTRAINT "passage_vectors_user_id_passage_id_file_passages_user_id_id_fk" FOREIGN KEY ("user_id","passage_id") REFERENCES "public"."file_passages"("user_id","id") ON DELETE cascade ON UPDATE no action;