import { type ActivityEvent, activityEvent } from '@atelier/contract/accounts/activity';
import { type AuditAct, type AuditEntry, auditAct, auditQuery } from '@atelier/contract/operator/audit';
import { Link } from 'react-router';
import { errorText } from '../../lib/http.ts';
import { saveFrom } from '../../lib/save-from.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureBanner } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { minuteOf } from '../../ui/formats.ts';
import { outdatedClass } from '../../ui/list/list-skeleton.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { Select } from '../../ui/select.tsx';
import { type AuditView, auditExportAddress, useAudit } from './admin.api.ts';
import { ListWaiting } from './list-waiting.tsx';

const KINDS = [
  { value: 'all', label: 'Everything' },
  { value: 'act', label: 'Acts of operators' },
  { value: 'security', label: 'Security events' },
];

const ACTS: Record<AuditAct, string> = {
  pro_granted: 'Granted Pro',
  pro_taken_back: 'Took back Pro',
  account_disabled: 'Disabled the account',
  account_enabled: 'Enabled the account',
  email_confirmed_by_operator: 'Confirmed the email',
  reset_link_issued: 'Made a link to reset the password',
  reset_link_mailed: 'Mailed a link to reset the password',
  factor_removed: 'Removed the second factor',
  account_removed: 'Deleted the account',
  message_removed: 'Deleted a message of the contact page',
  tools_approved: 'Approved changed tools',
  audit_exported: 'Exported the audit log',
  setting_changed: 'Changed a setting',
  invitation_made: 'Made an invitation',
  invitation_ended: 'Ended an invitation',
  account_approved: 'Let the new account in',
  account_rejected: 'Rejected the new account',
  reports_dismissed: 'Dismissed reports of a public agent',
  agent_unpublished: 'Unpublished an agent',
  publishing_blocked: 'Blocked publishing',
  publishing_unblocked: 'Allowed publishing again',
};

/** Words for security events, which another feature has. */
export interface SecurityWords {
  event: (entry: { event: ActivityEvent; about: string | null; name: null; count: number }) => string;
  network: (network: string) => string;
}

const kindOf = auditQuery.shape.kind;

/** What operators did and what concerned the safety of accounts, the latest first. */
export function AuditList({ words }: { words: SecurityWords }) {
  const { filters, change } = useFilters(['kind', 'account']);
  const kind = kindOf.catch('all').parse(filters.kind || undefined);
  const view: AuditView = filters.account === '' ? { kind } : { kind, account: filters.account };
  const log = useAudit(view);
  const rows = log.data?.pages.flatMap((page) => page.entries);
  return (
    <>
      <div className="flex flex-wrap items-end gap-4">
        <Field label="Show">
          {(control) => (
            <Select
              {...control}
              value={kind}
              options={KINDS}
              onChange={(event) => change({ kind: event.target.value as AuditView['kind'] })}
            />
          )}
        </Field>
        <Button onClick={() => saveFrom(auditExportAddress(view))}>Export</Button>
        {filters.account !== '' && (
          <Button variant="ghost" onClick={() => change({ account: '' })}>
            Show all accounts
          </Button>
        )}
      </div>
      {log.isPending && <ListWaiting label="Loading the audit log" />}
      {log.isError && !rows && <FailureBanner text={errorText(log.error)} onRetry={() => void log.refetch()} />}
      {rows?.length === 0 && <EmptyState title="Nothing is written down here yet." />}
      {rows && rows.length > 0 && (
        <div
          className={classes('flex flex-col gap-4', log.isPlaceholderData && outdatedClass)}
          aria-busy={log.isPlaceholderData}
        >
          <ul aria-label="Audit log" className="flex flex-col divide-y rounded-lg border bg-raised">
            {rows.map((entry) => (
              <Entry key={entry.id} entry={entry} words={words} />
            ))}
          </ul>
          <LoadMore list={log} />
        </div>
      )}
    </>
  );
}

function sentenceOf({ kind, what, about, count }: AuditEntry, words: SecurityWords): string {
  if (kind === 'act') return ACTS[auditAct.parse(what)];
  return words.event({ event: activityEvent.parse(what), about, name: null, count });
}

function Entry({ entry, words }: { entry: AuditEntry; words: SecurityWords }) {
  const { kind, actor, subject, reason, at, network, device, about } = entry;
  const by =
    kind === 'act' && (actor === null ? 'by a command on the server' : `by ${actor.email ?? 'a deleted account'}`);
  const where = [kind === 'act' && about, minuteOf(at), by, device, network && `from ${words.network(network)}`];
  return (
    <li className="px-4 py-3 [overflow-wrap:anywhere]">
      <p>
        {sentenceOf(entry, words)}
        {reason !== '' && `: ${reason}`}
      </p>
      {subject !== null &&
        (subject.email === null ? (
          <p className="text-sm">A deleted account, {subject.id}</p>
        ) : (
          <Link
            to={`/admin/people/${subject.id}`}
            className="inline-flex min-h-6 items-center text-sm underline underline-offset-4 touch:min-h-11"
          >
            {subject.email}
          </Link>
        ))}
      <p className="text-muted text-sm">{where.filter(Boolean).join(', ')}</p>
    </li>
  );
}
