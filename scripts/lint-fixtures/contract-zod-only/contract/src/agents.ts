// expect: atelier(import-direction), The contract imports zod only
import { thing } from 'hono';

export const used = thing;
