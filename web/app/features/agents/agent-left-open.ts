import { type Agent, agent as agentShape, storedSettings } from '@atelier/contract/agents';
import { z } from 'zod';
import { openForm, savedForm } from '../../lib/typed/saved-form.ts';

/** The form of an agent, by its id; of a new one, without. */
export const agentForm = (id = '') => FORM + id;
const FORM = 'agent:';

/** What is kept of that form. */
export const savedAgent = z.object({
  /** The agent as it was when its form was last in step with it; null for a new one. */
  seen: agentShape.nullable(),
  state: storedSettings.extend({ tags: z.string(), isPublic: z.boolean() }),
});

/** The agent whose form was open when the sign-in ended, as it was then; null when it was the form of a new one. */
export function readOpenAgent(): Agent | null | undefined {
  const id = openForm(FORM);
  return id === undefined ? undefined : savedForm(agentForm(id), savedAgent)?.seen;
}
