-- functions 53a49adab11b
CREATE TABLE "budget_reservations" (
	"user_id" text NOT NULL,
	"id" uuid NOT NULL,
	"tokens" bigint NOT NULL,
	"cost" numeric,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "budget_reservations_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "budget_reservations" ADD CONSTRAINT "budget_reservations_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;