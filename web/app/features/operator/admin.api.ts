import { type AuditQuery, auditCalls } from '@atelier/contract/operator/audit';
import { type PeopleQuery, type PersonAct, peopleCalls } from '@atelier/contract/operator/people';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { asOwner } from '../../lib/auth/as-owner.ts';
import { addressOf, call } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';

const PAGE = 50;
/** What other people do is told to nobody's page, so an operator's looks again. */
const AGAIN_MS = 15_000;

/** Accounts, page by page; while others are looked for, those of before. */
export const usePeople = (view: Pick<PeopleQuery, 'search' | 'sort'>) =>
  useInfiniteQuery({
    queryKey: keys.people(view),
    queryFn: ({ pageParam: cursor, signal }) =>
      call(peopleCalls.list, { query: { ...view, limit: PAGE, ...(cursor && { cursor }) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  });

/** One account. */
export const usePerson = (accountId: string) =>
  useQuery({
    queryKey: keys.person(accountId),
    queryFn: ({ signal }) => call(peopleCalls.read, { params: { accountId }, signal }),
    refetchInterval: AGAIN_MS,
  });

/** Does something to an account, with a reason. */
export const useActOnPerson = (accountId: string) =>
  useMutation({
    mutationFn: (body: { act: PersonAct; reason: string }) =>
      asOwner(() => call(peopleCalls.act, { params: { accountId }, body })),
    onSettled: () => refresh('admin'),
  });

/** Deletes an account, and leaves its page. */
export const useDeletePerson = (accountId: string, leave: () => Promise<void>) =>
  useMutation({
    // Nothing is fetched again before its page is left, where it would be missing.
    mutationKey: keys.admin,
    mutationFn: (body: { reason: string; email: string }) =>
      asOwner(() => call(peopleCalls.delete, { params: { accountId }, body })),
    onSuccess: async () => {
      await leave();
      refresh('admin');
    },
  });

export type AuditView = Pick<AuditQuery, 'kind'> & { account?: string };

/** Acts and security events, page by page. */
export const useAudit = (view: AuditView) =>
  useInfiniteQuery({
    queryKey: keys.audit(view),
    queryFn: ({ pageParam: cursor, signal }) =>
      call(auditCalls.list, { query: { ...view, limit: PAGE, ...(cursor && { cursor }) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  });

/** Where the browser saves the audit log from. */
export const auditExportAddress = (view: AuditView) => addressOf(auditCalls.export, { query: view });
