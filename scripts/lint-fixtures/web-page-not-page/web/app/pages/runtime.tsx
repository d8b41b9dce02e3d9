// expect: atelier(import-direction), nothing imports upwards
import { thing } from './library.tsx';

export const used = thing;
