// expect: atelier(import-direction), The web imports the contract only
import { thing } from '@atelier/server/features/agents/agents.service';

export const used = thing;
