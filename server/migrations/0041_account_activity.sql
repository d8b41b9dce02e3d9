CREATE TABLE "account_activity" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"event" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"network" text,
	"device" text,
	"sign_in_id" text,
	"about" text,
	CONSTRAINT "account_activity_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "account_activity" ADD CONSTRAINT "account_activity_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_activity_event" ON "account_activity" USING btree ("user_id","event","at");--> statement-breakpoint
CREATE INDEX "account_activity_at" ON "account_activity" USING btree ("at");