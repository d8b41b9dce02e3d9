import { type ActivityEvent, activityEvent } from '@atelier/contract/accounts/activity';
import { type AuditAct, type AuditEntry, auditAct, auditQuery } from '@atelier/contract/operator/audit';
import { Link } from 'react-router';
import { saveFrom } from '../../lib/save-from.ts';
import { Button } from '../../ui/button.tsx';
import { minuteOf } from '../../ui/formats.ts';
import { useFilters } from '../../ui/list/use-filters.ts';
import { type AuditView, auditExportAddress, useAudit } from './admin.api.ts';
import { AdminList, AllAccounts, Choice, Entries, Entry, entryLinkClass } from './admin-list.tsx';

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
  message_answered: 'Answered a message of the contact page',
  job_retried: 'Retried a job',
  job_deleted: 'Deleted a job',
  payment_asked: 'Asked the provider about a payment',
  tools_approved: 'Approved changed tools',
  tools_left_off: 'Left changed tools off',
  models_offered: 'Offered models',
  models_taken_away: 'Took models away',
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
  return (
    <>
      <div className="flex flex-wrap items-end gap-4">
        <Choice label="Show" value={kind} options={KINDS} onChange={(chosen) => change({ kind: chosen })} />
        <Button onClick={() => saveFrom(auditExportAddress(view))}>Export</Button>
        <AllAccounts account={filters.account} onChoose={() => change({ account: '' })} />
      </div>
      <AdminList
        list={log}
        rowsOf={(page) => page.entries}
        loading="Loading the audit log"
        empty="Nothing is written down here yet."
      >
        {(rows) => (
          <Entries label="Audit log">
            {rows.map((entry) => (
              <AuditLine key={entry.id} entry={entry} words={words} />
            ))}
          </Entries>
        )}
      </AdminList>
    </>
  );
}

function sentenceOf({ kind, what, about, count }: AuditEntry, words: SecurityWords): string {
  if (kind === 'act') return ACTS[auditAct.parse(what)];
  return words.event({ event: activityEvent.parse(what), about, name: null, count });
}

function AuditLine({ entry, words }: { entry: AuditEntry; words: SecurityWords }) {
  const { kind, actor, subject, reason, at, network, device, about, change } = entry;
  const by =
    kind === 'act' && (actor === null ? 'by a command on the server' : `by ${actor.email ?? 'a deleted account'}`);
  const where = [kind === 'act' && about, minuteOf(at), by, device, network && `from ${words.network(network)}`];
  return (
    <Entry>
      <p>
        {sentenceOf(entry, words)}
        {reason !== '' && `: ${reason}`}
      </p>
      {change !== null && (
        <p className="text-sm">
          Before: {change.before}. Now: {change.after}.
        </p>
      )}
      {subject !== null &&
        (subject.email === null ? (
          <p className="text-sm">A deleted account, {subject.id}</p>
        ) : (
          <Link to={`/admin/people/${subject.id}`} className={entryLinkClass}>
            {subject.email}
          </Link>
        ))}
      <p className="text-muted text-sm">{where.filter(Boolean).join(', ')}</p>
    </Entry>
  );
}
