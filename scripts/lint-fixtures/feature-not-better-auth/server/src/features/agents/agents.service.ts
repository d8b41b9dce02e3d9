// expect: atelier(import-direction), Only accounts and platform
import { thing } from 'better-auth';

export const used = thing;
