CREATE TABLE "explore_tags" (
	"tag" text NOT NULL,
	"creator_id" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"favorite_count" integer NOT NULL,
	CONSTRAINT "explore_tags_tag_agent_id_pk" PRIMARY KEY("tag","agent_id")
);
--> statement-breakpoint
CREATE TABLE "favorites" (
	"user_id" text NOT NULL,
	"creator_id" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"favorited_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "favorites_user_id_creator_id_agent_id_pk" PRIMARY KEY("user_id","creator_id","agent_id")
);
--> statement-breakpoint
DROP INDEX "chat_sessions_list";--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "forked_from_user" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "forked_from_agent" uuid;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "fork_base" jsonb;--> statement-breakpoint
ALTER TABLE "explore_tags" ADD CONSTRAINT "explore_tags_creator_id_agent_id_agents_user_id_id_fk" FOREIGN KEY ("creator_id","agent_id") REFERENCES "public"."agents"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "favorites" ADD CONSTRAINT "favorites_creator_id_agent_id_agents_user_id_id_fk" FOREIGN KEY ("creator_id","agent_id") REFERENCES "public"."agents"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "explore_tags_order" ON "explore_tags" USING btree ("tag","favorite_count","agent_id");--> statement-breakpoint
CREATE INDEX "explore_tags_agent" ON "explore_tags" USING btree ("creator_id","agent_id");--> statement-breakpoint
CREATE INDEX "favorites_list" ON "favorites" USING btree ("user_id","favorited_at","agent_id");--> statement-breakpoint
CREATE INDEX "favorites_agent" ON "favorites" USING btree ("creator_id","agent_id");--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_forked_from" FOREIGN KEY ("forked_from_user","forked_from_agent") REFERENCES "public"."agents"("user_id","id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agents_forks" ON "agents" USING btree ("forked_from_user","forked_from_agent") WHERE "agents"."forked_from_user" is not null;--> statement-breakpoint
CREATE INDEX "agents_explore" ON "agents" USING btree ("favorite_count","id") WHERE "agents"."is_public" and "agents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "chat_sessions_list" ON "chat_sessions" USING btree ("user_id","created_at","id") WHERE "chat_sessions"."deleted_at" is null;