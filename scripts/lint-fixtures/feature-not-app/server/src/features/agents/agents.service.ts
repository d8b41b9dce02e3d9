// expect: atelier(import-direction), nothing imports upwards
import { thing } from '../../app.ts';

export const used = thing;
