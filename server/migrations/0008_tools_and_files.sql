CREATE TABLE "agent_files" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"type" text NOT NULL,
	"kind" text NOT NULL,
	"size" integer NOT NULL,
	"state" text NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "agent_files_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "file_passages" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"place" text NOT NULL,
	"text" text NOT NULL,
	"position" integer NOT NULL,
	"version" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_passages_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "mcp_servers" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"tools" jsonb NOT NULL,
	"changed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_servers_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "tool_grants" (
	"user_id" text NOT NULL,
	"session_id" uuid NOT NULL,
	"tool" text NOT NULL,
	CONSTRAINT "tool_grants_user_id_session_id_tool_pk" PRIMARY KEY("user_id","session_id","tool")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "starters" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "approvals" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_files" ADD CONSTRAINT "agent_files_user_id_agent_id_agents_user_id_id_fk" FOREIGN KEY ("user_id","agent_id") REFERENCES "public"."agents"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_passages" ADD CONSTRAINT "file_passages_user_id_file_id_agent_files_user_id_id_fk" FOREIGN KEY ("user_id","file_id") REFERENCES "public"."agent_files"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_grants" ADD CONSTRAINT "tool_grants_user_id_session_id_chat_sessions_user_id_id_fk" FOREIGN KEY ("user_id","session_id") REFERENCES "public"."chat_sessions"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_files_key" ON "agent_files" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "agent_files_list" ON "agent_files" USING btree ("user_id","agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "agent_files_unsettled" ON "agent_files" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "file_passages_changes" ON "file_passages" USING btree ("user_id","agent_id","version");--> statement-breakpoint
CREATE INDEX "file_passages_file" ON "file_passages" USING btree ("user_id","file_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "mcp_servers_key" ON "mcp_servers" USING btree ("key");