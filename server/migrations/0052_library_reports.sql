CREATE TABLE "agent_reports" (
	"user_id" text NOT NULL,
	"creator_id" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"words" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "agent_reports_user_id_creator_id_agent_id_pk" PRIMARY KEY("user_id","creator_id","agent_id")
);
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "publishing_blocked" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "published_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "unpublished_reason" text;--> statement-breakpoint
ALTER TABLE "agent_reports" ADD CONSTRAINT "agent_reports_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_reports" ADD CONSTRAINT "agent_reports_creator_id_agent_id_agents_user_id_id_fk" FOREIGN KEY ("creator_id","agent_id") REFERENCES "public"."agents"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_reports_agent" ON "agent_reports" USING btree ("creator_id","agent_id");--> statement-breakpoint
CREATE INDEX "agent_reports_open" ON "agent_reports" USING btree ("creator_id","agent_id","created_at") WHERE "agent_reports"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "agents_look" ON "agents" USING btree (lower(translate(normalize(name, NFKD), U&'АВЕЅІЈКМНОРСТУХԚԜҺӀавеѕіјкмнорстухԁԛԝһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεζηικμνορτυχՕօսհոıɡɑIi1|0 -_.\002c:\003b!?\0027\0022`’‘“”«»()[]·•…–—\200c\200d\fe0e\fe0f\0300\0301\0302\0303\0304\0305\0306\0307\0308\0309\030a\030b\030c\030d\030e\030f\0310\0311\0312\0313\0314\0315\0316\0317\0318\0319\031a\031b\031c\031d\031e\031f\0320\0321\0322\0323\0324\0325\0326\0327\0328\0329\032a\032b\032c\032d\032e\032f\0330\0331\0332\0333\0334\0335\0336\0337\0338\0339\033a\033b\033c\033d\033e\033f\0340\0341\0342\0343\0344\0345\0346\0347\0348\0349\034a\034b\034c\034d\034e\034f\0350\0351\0352\0353\0354\0355\0356\0357\0358\0359\035a\035b\035c\035d\035e\035f\0360\0361\0362\0363\0364\0365\0366\0367\0368\0369\036a\036b\036c\036d\036e\036f', U&'ABESlJKMHOPCTYXQWhlabesljkmhopctyxdqwhlABEZHlKMNOPTYXabezhlkmnoptyxOouhnlgallllo')),coalesce("published_at", "created_at"),"id") WHERE "agents"."is_public" and "agents"."deleted_at" is null;