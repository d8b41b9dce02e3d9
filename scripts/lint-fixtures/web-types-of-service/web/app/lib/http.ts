// expect: atelier(import-direction), The web imports the contract only
import type { Thing } from '@atelier/server/features/agents/agents.service';

export type Used = Thing;
