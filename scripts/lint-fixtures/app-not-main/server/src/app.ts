// expect: atelier(import-direction), nothing imports upwards
import { thing } from './main.ts';

export const used = thing;
