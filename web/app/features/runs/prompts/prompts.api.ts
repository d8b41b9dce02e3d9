import { type PromptCreate, promptAnswer, promptsAnswer, type SavedPrompt } from '@atelier/contract/composer/prompts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../../lib/http.ts';
import { refresh } from '../../../lib/live/stale.ts';
import { keys } from '../../../lib/query.ts';

const address = (id: string) => `/api/prompts/${encodeURIComponent(id)}`;

/** The person's saved prompts, by name; asked for once they are wanted. */
export const usePrompts = (wanted: boolean) =>
  useQuery({
    queryKey: keys.prompts,
    queryFn: async ({ signal }) => (await request(promptsAnswer, 'GET', '/api/prompts', undefined, { signal })).prompts,
    enabled: wanted,
  });

/** Creates a prompt, or changes the one with this id. */
export const useSavePrompt = (id: string | undefined) =>
  useMutation({
    mutationFn: async (prompt: PromptCreate) => {
      const isNew = id === undefined;
      const where = isNew ? '/api/prompts' : address(id);
      return (await request(promptAnswer, isNew ? 'POST' : 'PATCH', where, prompt)).prompt;
    },
    onSettled: () => refresh('prompts'),
  });

/** Deletes a prompt; saving it again undoes that. */
export const useDeletePrompt = () =>
  useMutation({
    mutationFn: ({ id }: SavedPrompt) => request(z.unknown(), 'DELETE', address(id)),
    onSettled: () => refresh('prompts'),
  });
