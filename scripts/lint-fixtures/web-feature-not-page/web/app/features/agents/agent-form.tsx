// expect: atelier(import-direction), nothing imports upwards
import { thing } from '../../pages/runtime.tsx';

export const used = thing;
