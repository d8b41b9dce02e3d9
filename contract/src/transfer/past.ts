import { z } from 'zod';
import { calls, get, post, put } from '../calls.ts';
import { instant } from '../ids.ts';
import { accountImportAnswer, type PastProgram, pastProgram } from './imports.ts';

export const PROGRAM_NAMES: Record<PastProgram, string> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  librechat: 'LibreChat',
  'open-webui': 'Open WebUI',
};

/** What one export may hold; `conversation` is the messages of one. */
export const PAST_LIMITS = { conversations: 10_000, messages: 300_000, conversation: 20_000, facts: 500 } as const;

export const PAST_SENTENCES = {
  unknown: 'This file isn’t an export of ChatGPT, Claude, LibreChat or Open WebUI.',
  empty: 'No conversation in this export can be imported.',
  tooMany: `This export has more than ${PAST_LIMITS.conversations.toLocaleString('en')} conversations or ${PAST_LIMITS.messages.toLocaleString('en')} messages, the most that one import takes.`,
  begun: 'This import has already begun. Undo it first to choose again.',
  none: 'Choose at least one conversation.',
  notDone: 'This import can’t be undone: it hasn’t begun, or it is still running.',
} as const;

/** A conversation of an export. `messages` are those of the person and the program, on all branches. */
export const pastConversation = z.object({
  title: z.string(),
  from: instant,
  to: instant,
  messages: z.number().int(),
  /** Whether some of its messages were written or answered again. */
  branches: z.boolean(),
});
export type PastConversation = z.infer<typeof pastConversation>;

/** A fact that the person may give to the agent, with the sentence that states it and its conversation's place in the list. */
export const pastFact = z.object({
  text: z.string(),
  about: z.string(),
  sentence: z.string(),
  conversation: z.number().int(),
  timestamp: instant,
});
export type PastFact = z.infer<typeof pastFact>;

/** An export of another program as it was read. What isn't imported of it stands in the import's notes. */
export const past = z.object({
  program: pastProgram,
  /** Newest first. */
  conversations: z.array(pastConversation),
  facts: z.array(pastFact),
});
export type Past = z.infer<typeof past>;
export const pastAnswer = z.object({ past });

const places = (max: number) => z.array(z.number().int().min(0).max(max)).max(max);

/** What to import: places in the lists of the export. Without an agent, one is made. */
export const pastChoice = z.strictObject({
  agentId: z.string().max(300).nullable(),
  conversations: places(PAST_LIMITS.conversations).min(1, PAST_SENTENCES.none),
  facts: places(PAST_LIMITS.facts),
});
export type PastChoice = z.infer<typeof pastChoice>;

export const pastCalls = calls('/api/imports', {
  read: get('/:importId/past', 'readPast', 'What an export of another program holds.', { answer: pastAnswer }),
  choose: put('/:importId/past', 'choosePast', 'Chooses what to import of it; nothing is imported yet.', {
    body: pastChoice,
    answer: accountImportAnswer,
    fails: ['conflict'],
  }),
  undo: post(
    '/:importId/undo',
    'undoImport',
    'Deletes everything that an import of another program’s export brought.',
    {
      answer: accountImportAnswer,
      fails: ['conflict'],
    },
  ),
});
