// expect: nothing
import type { AgentsRoutes } from '@atelier/server/features/agents/agents.routes';
import { AgentForm } from '../features/agents/agent-form.tsx';
import { request } from '../lib/http.ts';
import { Button } from '../ui/button.tsx';

export const used = { AgentForm, request, Button };
export type Used = AgentsRoutes;
