CREATE TABLE "suspended_ways" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"added_at" timestamp (3) with time zone,
	"suspended_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"row" jsonb NOT NULL,
	CONSTRAINT "suspended_ways_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "two_factor" ADD COLUMN "created_at" timestamp (3) with time zone;--> statement-breakpoint
-- Separately, so that factors from before it was noted don't seem to be of today.
ALTER TABLE "two_factor" ALTER COLUMN "created_at" SET DEFAULT now();--> statement-breakpoint
ALTER TABLE "suspended_ways" ADD CONSTRAINT "suspended_ways_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;