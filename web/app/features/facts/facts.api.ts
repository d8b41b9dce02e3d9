import { type Fact, type FactSettings, type FactUpdate, factCalls } from '@atelier/contract/facts';
import { memoryCalls } from '@atelier/contract/memory';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { addressOf, call } from '../../lib/http.ts';
import { refresh, useChange } from '../../lib/live/stale.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';

/** The filters of the list; an empty text is no filter. */
export interface FactFilters {
  agentId: string;
  q: string;
}

const set = ({ agentId, q }: FactFilters) => ({ agentId: agentId || undefined, q: q || undefined });

/** The address of the filtered facts as a file. */
export const factsExport = (filters: FactFilters) => addressOf(factCalls.export, { query: set(filters) });

/** The facts that match the filters, newest first. */
export const useFacts = (filters: FactFilters) =>
  useQuery({
    ...callQuery(keys.facts(filters), factCalls.list, { query: set(filters) }),
    placeholderData: keepPreviousData,
  });

/** Corrects a fact, pins it or unpins it; returns it. */
export function useUpdateFact() {
  return useChange(
    async ({ id: factId, ...body }: Pick<Fact, 'id'> & FactUpdate) =>
      (await call(factCalls.update, { params: { factId }, body })).fact,
    'memories',
  );
}

/** One after another: an undo must not overtake what it undoes, nor the next try the undo. */
const IN_ORDER = { scope: { id: 'facts' } };

export const useForgetFact = () =>
  useMutation({
    ...IN_ORDER,
    mutationFn: (factId: string) => call(factCalls.forget, { params: { factId } }),
    onSettled: () => refresh('memories'),
  });

export const useRestoreFact = () =>
  useMutation({
    ...IN_ORDER,
    mutationFn: (factId: string) => call(factCalls.restore, { params: { factId } }),
    onSettled: () => refresh('memories'),
  });

/** Forgets for good the memory that states a fact, and with it every fact that comes from it. */
export const useForgetSource = () =>
  useChange((memoryId: string) => call(memoryCalls.forget, { params: { memoryId } }), 'memories', 'tasks');

const settingsKey = [...keys.allFacts, 'settings'];

export const useFactSettings = () => useQuery(callQuery(settingsKey, factCalls.settings));

/** Switches the keeping of new facts on or off. */
export const useSwitchFacts = () =>
  useMutation({
    mutationFn: (distil: boolean) => call(factCalls.changeSettings, { body: { distil } }),
    onSuccess: (saved: FactSettings) => queryClient.setQueryData(settingsKey, saved),
  });
