// expect: atelier(import-direction), nothing imports upwards
import { thing } from '../features/agents/agents.api.ts';

export const used = thing;
