import { z } from 'zod';
import { calls, create, get, patch, remove } from './calls.ts';
import { instant } from './ids.ts';
import { nameText } from './names/names.ts';
import { plainText } from './names/plain-text.ts';
import { MESSAGE_MAX } from './runs.ts';

/** How many prompts a person may save, and how long they may be. */
export const PROMPT_LIMITS = { prompts: 200, name: 100, text: MESSAGE_MAX, variables: 20 } as const;

export const PROMPT_SENTENCES = {
  taken: 'You already have a prompt with this name. Choose another name.',
  full: `You can save at most ${PROMPT_LIMITS.prompts} prompts. Delete one first.`,
} as const;

/** A name has at most 40 characters. */
const VARIABLE = /\{\{([^{}\n]{1,40})\}\}/gu;

/** The names between `{{` and `}}`, each once, in order of appearance. */
export function variablesOf(text: string): string[] {
  const names = [...text.matchAll(VARIABLE)].map(([, name = '']) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/** The text with each variable's value in its place. A value is not searched for variables itself. */
export function fillVariables(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(VARIABLE, (whole, name: string) => values.get(name.trim()) ?? whole);
}

export const promptName = nameText(PROMPT_LIMITS.name, 'The name', 'Name is required.');
export const promptText = plainText(PROMPT_LIMITS.text, 'The prompt')
  .refine((text) => text.trim() !== '', 'A prompt needs some text.')
  .refine(
    (text) => variablesOf(text).length <= PROMPT_LIMITS.variables,
    `A prompt can have at most ${PROMPT_LIMITS.variables} variables.`,
  );

export const promptCreate = z.strictObject({ name: promptName, text: promptText });
export type PromptCreate = z.infer<typeof promptCreate>;

export const promptUpdate = promptCreate
  .partial()
  .refine(({ name, text }) => name !== undefined || text !== undefined, {
    error: 'Nothing to change.',
  });
export type PromptUpdate = z.infer<typeof promptUpdate>;

/** A saved prompt: a text to use again. */
export const savedPrompt = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  createdAt: instant,
  updatedAt: instant,
});
export type SavedPrompt = z.infer<typeof savedPrompt>;

export const promptAnswer = z.object({ prompt: savedPrompt });
/** By name. */
export const promptsAnswer = z.object({ prompts: z.array(savedPrompt) });

export const promptCalls = calls('/api/prompts', {
  list: get('', 'listPrompts', 'Your saved prompts.', { answer: promptsAnswer }),
  create: create('', 'createPrompt', 'Saves a prompt.', {
    body: promptCreate,
    answer: promptAnswer,
    fails: ['conflict'],
  }),
  update: patch('/:promptId', 'updatePrompt', 'Changes a saved prompt.', {
    body: promptUpdate,
    answer: promptAnswer,
    fails: ['conflict'],
  }),
  remove: remove('/:promptId', 'deletePrompt', 'Deletes a saved prompt.'),
});
