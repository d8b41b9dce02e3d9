// expect: atelier(import-direction), touch the database
import { eq } from 'drizzle-orm';

export const used = eq;
