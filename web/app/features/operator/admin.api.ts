import type { Call } from '@atelier/contract/calls';
import { type AuditQuery, auditCalls } from '@atelier/contract/operator/audit';
import { type InboxQuery, inboxCalls } from '@atelier/contract/operator/inbox';
import { type JobsQuery, jobsCalls } from '@atelier/contract/operator/jobs';
import { libraryCalls } from '@atelier/contract/operator/library';
import { overviewCalls } from '@atelier/contract/operator/overview';
import { paymentsCalls } from '@atelier/contract/operator/payments';
import { type PeopleQuery, type PersonAct, peopleCalls } from '@atelier/contract/operator/people';
import { providersCalls } from '@atelier/contract/operator/providers';
import type { SettingChanges } from '@atelier/contract/operator/settings';
import { type InviteBody, settingsCalls } from '@atelier/contract/operator/settings-calls';
import { operatorServersCalls, type ToolDecision } from '@atelier/contract/operator/tool-servers';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { asOwner } from '../../lib/auth/as-owner.ts';
import { addressOf, call, type SentWith } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { callQuery, keys, pagedQuery, queryClient } from '../../lib/query.ts';

const PAGE = 50;
/** What other people do is told to nobody's page, so an operator's looks again. */
const AGAIN_MS = 15_000;
/** What has never come isn't asked for by itself: a list would hide why, and the way on, while it tries. */
const again = ({ state }: { state: { data: unknown } }) => state.data !== undefined && AGAIN_MS;

/** A list of the operator's, page by page; while another view is looked for, the one of before. */
const useAdminList = <One extends Call>(one: One, ...sent: SentWith<One>) =>
  useInfiniteQuery({
    ...pagedQuery([...keys.admin, one.path, sent], one, ...sent),
    placeholderData: keepPreviousData,
    refetchInterval: again,
  });

/** Accounts. */
export const usePeople = (view: Pick<PeopleQuery, 'search' | 'sort' | 'show'>) =>
  useAdminList(peopleCalls.list, { query: { ...view, limit: PAGE } });

export type AuditView = Pick<AuditQuery, 'kind'> & { account?: string };

/** Acts and security events. */
export const useAudit = (view: AuditView) => useAdminList(auditCalls.list, { query: { ...view, limit: PAGE } });

/** Messages of the contact page. */
export const useInbox = (view: Pick<InboxQuery, 'box'>) =>
  useAdminList(inboxCalls.list, { query: { ...view, limit: PAGE } });

export type JobsView = Pick<JobsQuery, 'state'> & { kind?: string };

/** Jobs that failed or wait. */
export const useJobs = (view: JobsView) => useAdminList(jobsCalls.list, { query: { ...view, limit: PAGE } });

/** Payments with their history. */
export const usePayments = (view: { account?: string }) =>
  useAdminList(paymentsCalls.list, { query: { ...view, limit: PAGE } });

/** What can be set while the server runs, and its environment. */
export const useServerSettings = () => useQuery(callQuery(keys.serverSettings, settingsCalls.read));

/** The open invitations of everybody. */
export const useAllInvitations = () =>
  useQuery({ ...callQuery(keys.allInvitations, settingsCalls.invitations), refetchInterval: again });

/** How the installation is. */
export const useOverview = () => useQuery({ ...callQuery(keys.overview, overviewCalls.read), refetchInterval: again });

/** The model providers. */
export const useProviders = () =>
  useQuery({ ...callQuery(keys.providers, providersCalls.list), refetchInterval: again });

/** The tool servers of the installation. */
export const useToolServers = () =>
  useQuery({ ...callQuery(keys.toolServers, operatorServersCalls.list), refetchInterval: again });

/** One account. */
export const usePerson = (accountId: string) =>
  useQuery({
    ...callQuery(keys.person(accountId), peopleCalls.read, { params: { accountId } }),
    refetchInterval: again,
  });

/** An act of the operator's, after a proof that it is them. */
const useAct = <Input, Done>(act: (input: Input) => Promise<Done>) =>
  useMutation({ mutationFn: (input: Input) => asOwner(() => act(input)), onSettled: () => refresh('admin') });

/** Does something to an account, with a reason. */
export function useActOnPerson(accountId: string) {
  const { mutateAsync } = useAct((body: { act: PersonAct; reason: string }) =>
    call(peopleCalls.act, { params: { accountId }, body }),
  );
  return (act: PersonAct) =>
    ({ reason }: { reason: string }) =>
      mutateAsync({ act, reason });
}

/** Ends an account, and leaves its page. */
const useEndPerson = <Input>(end: (input: Input) => Promise<void>, leave: () => Promise<void>) =>
  useMutation({
    // Nothing is fetched again before its page is left, where it would be missing.
    mutationKey: keys.admin,
    mutationFn: (input: Input) => asOwner(() => end(input)),
    onSuccess: async () => {
      await leave();
      refresh('admin');
    },
  });

/** Deletes an account. */
export const useDeletePerson = (accountId: string, leave: () => Promise<void>) =>
  useEndPerson(
    (body: { reason: string; email: string }) => call(peopleCalls.delete, { params: { accountId }, body }),
    leave,
  );

/** Deletes a new account that waits to be let in. */
export const useRejectPerson = (accountId: string, leave: () => Promise<void>) =>
  useEndPerson(
    ({ reason }: { reason: string }) => call(peopleCalls.reject, { params: { accountId }, body: { reason } }),
    leave,
  );

/** Changes some settings. */
export const useChangeSettings = () =>
  useAct(async (body: { changes: SettingChanges; before: SettingChanges; reason: string }) => {
    const answer = await call(settingsCalls.change, { body });
    queryClient.setQueryData(keys.serverSettings, answer);
    return answer;
  });

/** Makes an invitation of the operator's. */
export const useInviteAsOperator = () => useAct((body: InviteBody) => call(settingsCalls.invite, { body }));

/** Ends an invitation of anybody's. */
export const useEndInvitation = (invitationId: string) =>
  useAct(({ reason }: { reason: string }) =>
    call(settingsCalls.endInvitation, { params: { invitationId }, body: { reason } }),
  );

/** Mails a reply to a message. */
export const useReply = (messageId: string) =>
  useAct((text: string) => call(inboxCalls.reply, { params: { messageId }, body: { text } }));

/** Marks a message that was answered elsewhere. */
export const useCloseMessage = (messageId: string) =>
  useAct(({ reason }: { reason: string }) => call(inboxCalls.close, { params: { messageId }, body: { reason } }));

/** Retries or deletes a job. */
export const useActOnJob = (act: 'retry' | 'delete', params: { kind: string; jobId: string }) =>
  useAct(({ reason }: { reason: string }) => call(jobsCalls[act], { params, body: { reason } }));

/** Asks the provider again about a payment. */
export const useAskProvider = (reference: string) =>
  useAct(({ reason }: { reason: string }) => call(paymentsCalls.ask, { params: { reference }, body: { reason } }));

/** Where the browser saves the audit log from. */
export const auditExportAddress = (view: AuditView) => addressOf(auditCalls.export, { query: view });

/** Public agents: those that were reported, or those that are looked for. */
export const useLibrary = (search: string) => useAdminList(libraryCalls.list, { query: { search, limit: PAGE } });

/** Decides about a public agent. */
export const useActOnAgent = (params: { creatorId: string; agentId: string }) =>
  useAct(({ act, reason }: { act: 'dismiss' | 'unpublish'; reason: string }) =>
    call(libraryCalls[act], { params, body: { reason } }),
  );

/** Offers models of a provider, or takes them away. */
export const useOfferModels = (provider: string) =>
  useAct((body: { models: string[]; offered: boolean; reason?: string }) =>
    call(providersCalls.offer, { params: { provider }, body }),
  );

/** Tries a provider now. */
export const useProbeProvider = (provider: string) =>
  useMutation({
    mutationFn: () => call(providersCalls.probe, { params: { provider } }),
    onSettled: () => refresh('admin'),
  });

/** Contacts a tool server now. */
export const useCheckServer = (server: string) =>
  useMutation({
    mutationFn: () => call(operatorServersCalls.check, { params: { server } }),
    onSettled: () => refresh('admin'),
  });

/** Decides about a changed tool. */
export const useDecideTool = (server: string) =>
  useAct((body: ToolDecision) => call(operatorServersCalls.decide, { params: { server }, body }));
