CREATE TABLE "memory_vectors" (
	"user_id" text NOT NULL,
	"memory_id" uuid NOT NULL,
	"space" text NOT NULL,
	"vector" "bytea" NOT NULL,
	CONSTRAINT "memory_vectors_user_id_memory_id_pk" PRIMARY KEY("user_id","memory_id")
);
--> statement-breakpoint
ALTER TABLE "memory_vectors" ADD CONSTRAINT "memory_vectors_user_id_memory_id_memories_user_id_id_fk" FOREIGN KEY ("user_id","memory_id") REFERENCES "public"."memories"("user_id","id") ON DELETE cascade ON UPDATE no action;