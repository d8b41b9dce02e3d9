import type { Agent } from '@atelier/contract/agents';
import { useState } from 'react';
import { keptForm, useKeptForm } from '../../lib/typed/kept-form.ts';
import {
  type AgentField,
  type AgentFormState,
  blankForm,
  changedFields,
  formOf,
  mergeForm,
  pick,
} from './agent-form-state.ts';
import { agentForm, keptAgent } from './agent-left-open.ts';
import { useAgents } from './agents.api.ts';

/** The agent as the server has it now, or that it was deleted since the form was opened. */
export function useStored(opened: Agent | undefined) {
  const { data } = useAgents();
  const found = data?.find((agent) => agent.id === opened?.id);
  const gone = opened !== undefined && data !== undefined && found === undefined;
  return { agent: found ?? opened, gone };
}

/** What is typed, kept in step with what others store meanwhile. */
export function useTyped(agent: Agent | undefined, saving: boolean, newModel: string) {
  // The list may change while somebody types; their form doesn't.
  const [model] = useState(newModel);
  const toForm = (given: Agent | undefined) => (given === undefined ? blankForm(model) : formOf(given));
  const form = agentForm(agent?.id);
  const [kept] = useState(() => keptForm(form, keptAgent));
  const [seen, setSeen] = useState(kept ? (kept.seen ?? undefined) : agent);
  const [state, setState] = useState<AgentFormState>(() => kept?.state ?? toForm(agent));
  const [both, setBoth] = useState<readonly AgentField[]>([]);
  const base = toForm(seen);
  if (agent !== undefined && agent.updatedAt !== seen?.updatedAt && !saving) {
    const merged = mergeForm(base, state, toForm(agent));
    setSeen(agent);
    setState(merged.state);
    setBoth([...both, ...merged.both]);
  }
  const restart = (next: Agent | undefined) => {
    setSeen(next);
    setState(toForm(next));
    setBoth([]);
  };
  const changed = changedFields(base, state);
  useKeptForm(form, changed.length > 0 ? { seen: seen ?? null, state } : undefined);
  /** Fields that were changed here and elsewhere, and still differ. */
  const contested = changed.filter((field) => both.includes(field));
  return {
    state,
    base,
    unsaved: changed.length > 0,
    contested,
    restart,
    change: (part: Partial<AgentFormState>) => setState((before) => ({ ...before, ...part })),
    takeTheirs: () => setState({ ...state, ...pick(base, contested) }),
  };
}
