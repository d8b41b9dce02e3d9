// expect: atelier(import-direction), ui knows no data
import { thing } from '@atelier/contract/agents';

export const used = thing;
