import { z } from 'zod';
import { plainText } from './agents.ts';
import { instant } from './ids.ts';

export const SESSION_NAME_MAX = 200;

/** A session's name until a person or the model gives it another. */
export const defaultSessionName = (agentName: string) => `Session: ${agentName}`;

const sessionName = plainText(SESSION_NAME_MAX, 'The session name').trim().min(1, 'A session needs a name.');

export const sessionCreate = z.strictObject({
  /** The agent's address (slug), not its hidden key. */
  agentId: z
    .string('You must select an agent to start a session.')
    .min(1, 'You must select an agent to start a session.')
    .max(200),
  name: sessionName.optional(),
});
export type SessionCreate = z.infer<typeof sessionCreate>;

export const sessionUpdate = z.strictObject({ name: sessionName });

export const session = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  /** The agent's address; its last one if the agent was deleted. */
  agentId: z.string(),
  agentName: z.string(),
  agentDeleted: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const sessionAnswer = z.object({ session });
export const sessionsAnswer = z.object({ sessions: z.array(session), nextCursor: z.string().nullable() });
