// expect: eslint(no-restricted-imports), platform imports no features
import { thing } from '../features/agents/agents.service.ts';

export const used = thing;
