// expect: atelier(import-direction), The web imports the contract only
import { thing } from '../../../server/src/access.ts';

export const used = thing;
