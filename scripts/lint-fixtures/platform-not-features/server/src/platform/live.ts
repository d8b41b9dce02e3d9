// expect: atelier(import-direction), platform imports no features
import { thing } from '../features/agents/agents.service.ts';

export const used = thing;
