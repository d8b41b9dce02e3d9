// expect: atelier(import-direction), ui knows no data
import { thing } from '../lib/http.ts';

export const used = thing;
