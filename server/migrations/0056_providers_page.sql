CREATE TABLE "model_exclusions" (
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_exclusions_provider_model_pk" PRIMARY KEY("provider","model")
);
--> statement-breakpoint
CREATE TABLE "provider_uses" (
	"provider" text PRIMARY KEY NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"status" integer,
	"code" text,
	"type" text
);
--> statement-breakpoint
ALTER TABLE "operator_tool_pins" ADD COLUMN "left_off_at" timestamp (3) with time zone;
