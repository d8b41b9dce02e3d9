CREATE TABLE "fact_settings" (
	"user_id" text PRIMARY KEY NOT NULL,
	"distil" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"sentence" smallint,
	"text" text NOT NULL,
	"about" text NOT NULL,
	"statement" text NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"corrected_at" timestamp (3) with time zone,
	"forgotten_at" timestamp (3) with time zone,
	"replaced_by" uuid,
	"same_as" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "facts_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "fact_settings" ADD CONSTRAINT "fact_settings_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facts" ADD CONSTRAINT "facts_user_id_agent_id_agents_user_id_id_fk" FOREIGN KEY ("user_id","agent_id") REFERENCES "public"."agents"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facts" ADD CONSTRAINT "facts_user_id_memory_id_memories_user_id_id_fk" FOREIGN KEY ("user_id","memory_id") REFERENCES "public"."memories"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "facts_agent" ON "facts" USING btree ("user_id","agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "facts_memory" ON "facts" USING btree ("user_id","memory_id");--> statement-breakpoint
CREATE INDEX "facts_replaced" ON "facts" USING btree ("user_id","replaced_by") WHERE "facts"."replaced_by" is not null;--> statement-breakpoint
CREATE INDEX "facts_same" ON "facts" USING btree ("user_id","same_as") WHERE "facts"."same_as" is not null;