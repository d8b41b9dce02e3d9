// expect: atelier(import-direction), access imports platform only
import { thing } from './features/agents/agents.service.ts';

export const used = thing;
