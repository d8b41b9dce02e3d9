// expect: atelier(import-direction), name the file by feature and role
import { thing } from './agents.utils.ts';

export const used = thing;
