-- Links that were made in one moment: the older one stays.
DELETE FROM "account" "later" USING "account" "earlier"
WHERE "later"."user_id" = "earlier"."user_id" AND "later"."provider_id" = "earlier"."provider_id"
	AND ("earlier"."created_at", "earlier"."id") < ("later"."created_at", "later"."id");--> statement-breakpoint
DROP INDEX "account_user";--> statement-breakpoint
CREATE UNIQUE INDEX "account_user_provider" ON "account" USING btree ("user_id","provider_id");