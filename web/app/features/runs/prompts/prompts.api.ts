import { type PromptCreate, promptCalls, type SavedPrompt } from '@atelier/contract/prompts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/http.ts';
import { useChange } from '../../../lib/live/stale.ts';
import { callQuery, keys } from '../../../lib/query.ts';

/** The person's saved prompts, by name; asked for once they are wanted. */
export const usePrompts = (wanted: boolean) =>
  useQuery({ ...callQuery(keys.prompts, promptCalls.list), select: (answer) => answer.prompts, enabled: wanted });

/** Creates a prompt, or changes the one with this id. */
export const useSavePrompt = (promptId: string | undefined) =>
  useChange(
    async (body: PromptCreate) =>
      promptId === undefined
        ? (await call(promptCalls.create, { body })).prompt
        : (await call(promptCalls.update, { params: { promptId }, body })).prompt,
    'prompts',
  );

/** Deletes a prompt; saving it again undoes that. */
export const useDeletePrompt = () =>
  useChange(({ id }: SavedPrompt) => call(promptCalls.remove, { params: { promptId: id } }), 'prompts');
