// expect: atelier(import-direction), does not import test code
import { thing } from '../../testing/harness.ts';

export const used = thing;
