CREATE TABLE "tool_media" (
	"user_id" text NOT NULL,
	"task_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"name" text,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_media_user_id_task_id_id_pk" PRIMARY KEY("user_id","task_id","id")
);
--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "access" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "secrets" text;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD COLUMN "signed_out" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "tools_left_out" jsonb;--> statement-breakpoint
ALTER TABLE "tool_media" ADD CONSTRAINT "tool_media_user_id_task_id_tasks_user_id_id_fk" FOREIGN KEY ("user_id","task_id") REFERENCES "public"."tasks"("user_id","id") ON DELETE cascade ON UPDATE no action;