CREATE TABLE "session_folders" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_folders_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
DROP INDEX "chat_sessions_list";--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "archived" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD COLUMN "folder_id" uuid;--> statement-breakpoint
ALTER TABLE "session_folders" ADD CONSTRAINT "session_folders_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "session_folders_name" ON "session_folders" USING btree ("user_id",lower("name"));--> statement-breakpoint
ALTER TABLE "chat_sessions" ADD CONSTRAINT "chat_sessions_user_id_folder_id_session_folders_user_id_id_fk" FOREIGN KEY ("user_id","folder_id") REFERENCES "public"."session_folders"("user_id","id") ON DELETE set null ("folder_id") ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_sessions_order" ON "chat_sessions" USING btree ("user_id","archived","pinned","created_at","id") WHERE "chat_sessions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "chat_sessions_folder" ON "chat_sessions" USING btree ("user_id","folder_id","pinned","created_at","id");