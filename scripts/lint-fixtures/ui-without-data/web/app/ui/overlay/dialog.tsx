// expect: atelier(import-direction), ui knows no data
import { thing } from '../../features/agents/agent-form.tsx';

export const used = thing;
