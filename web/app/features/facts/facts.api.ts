import {
  type Fact,
  type FactSettings,
  type FactUpdate,
  factAnswer,
  factSettings,
  factsAnswer,
} from '@atelier/contract/facts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../lib/http.ts';
import { refresh, refreshEach } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';

/** The filters of the list; an empty text is no filter. */
export interface FactFilters {
  agentId: string;
  q: string;
}

const set = ({ agentId, q }: FactFilters) => Object.entries({ agentId, q }).filter(([, value]) => value !== '');

/** The address of the filtered facts as a file. */
export const factsExport = (filters: FactFilters) => `/api/facts/export?${new URLSearchParams(set(filters))}`;

/** The facts that match the filters, newest first. */
export const useFacts = (filters: FactFilters) =>
  useQuery({
    queryKey: keys.facts(filters),
    queryFn: ({ signal }) =>
      request(factsAnswer, 'GET', `/api/facts?${new URLSearchParams(set(filters))}`, undefined, { signal }),
    placeholderData: (before) => before,
  });

/** Corrects a fact, pins it or unpins it; returns it. */
export function useUpdateFact() {
  return useMutation({
    mutationFn: async ({ id, ...change }: Pick<Fact, 'id'> & FactUpdate) =>
      (await request(factAnswer, 'PATCH', `/api/facts/${id}`, change)).fact,
    onSettled: () => refresh('memories'),
  });
}

export const useForgetFact = () =>
  useMutation({
    mutationFn: (id: string) => request(z.unknown(), 'DELETE', `/api/facts/${id}`),
    onSettled: () => refresh('memories'),
  });

export const useRestoreFact = () =>
  useMutation({
    mutationFn: (id: string) => request(factAnswer, 'POST', `/api/facts/${id}/restore`),
    onSettled: () => refresh('memories'),
  });

/** Forgets for good the memory that states a fact, and with it every fact that comes from it. */
export const useForgetSource = () =>
  useMutation({
    mutationFn: (memoryId: string) => request(z.unknown(), 'DELETE', `/api/memories/${memoryId}`),
    onSettled: () => refreshEach('memories', 'tasks'),
  });

const settingsKey = [...keys.allFacts, 'settings'];

export const useFactSettings = () =>
  useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => request(factSettings, 'GET', '/api/facts/settings', undefined, { signal }),
  });

/** Switches the keeping of new facts on or off. */
export function useSwitchFacts() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (distil: boolean) => request(factSettings, 'PUT', '/api/facts/settings', { distil }),
    onSuccess: (saved: FactSettings) => queryClient.setQueryData(settingsKey, saved),
  });
}
