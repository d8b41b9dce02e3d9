// expect: eslint(no-restricted-imports), touch the database
import { eq } from 'drizzle-orm';

export const used = eq;
