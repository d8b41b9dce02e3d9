import type { AgentCreate } from '../agents.ts';

/** An agent to start with, and a first question that it can answer with any model. */
export interface ReadyAgent {
  /** What it is for, in one sentence. */
  about: string;
  opener: string;
  agent: AgentCreate & { name: string };
}

const OPENER = 'What can you do for me?';

/** The suggestions for somebody without any agent. */
export const READY_AGENTS: readonly ReadyAgent[] = [
  {
    about: 'Keeps what you tell it, and tells you where you said it.',
    opener: OPENER,
    agent: {
      name: 'Field Notes',
      prompt:
        'You help me keep notes about my projects, people and plans. Tell me what I noted when I ask, and quote me exactly. ' +
        'Ask one short question when a note is unclear. Say so when I have noted nothing about something.',
      tags: ['notes', 'memory'],
      temperature: 0.3,
    },
  },
  {
    about: 'Plans trips around the people who come along.',
    opener: OPENER,
    agent: {
      name: 'Trip Planner',
      prompt:
        'You help me plan trips with my family. Remember who comes along, what they eat, what they dislike and what we can spend, ' +
        'and mind it in every suggestion. Offer two options with their price and time, then ask which one I prefer.',
      tags: ['travel', 'planning'],
      temperature: 0.7,
    },
  },
  {
    about: 'Reviews code by your house rules.',
    opener: OPENER,
    agent: {
      name: 'Code Reviewer',
      prompt:
        'You help me review code. Remember the rules of our house as I tell them, and check what I paste against them. ' +
        'Name the worst problem first, say why it matters, and show the smallest change that mends it. Keep your answers short.',
      tags: ['code', 'review'],
      temperature: 0.2,
    },
  },
];
