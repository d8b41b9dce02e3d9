ALTER TABLE "payments" RENAME COLUMN "access_code" TO "checkout_token";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "provider" text;--> statement-breakpoint
-- Until now there were two: the sandbox, which has a mode of its own, and Paystack.
UPDATE "payments" SET "provider" = CASE WHEN "mode" = 'sandbox' THEN 'sandbox' ELSE 'paystack' END;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "provider" SET NOT NULL;
