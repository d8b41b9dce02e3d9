import { type ActivityEvent, activityEvent } from '@atelier/contract/accounts/activity';
import { AUDIT_ACTS, type AuditEntry, auditAct, auditQuery } from '@atelier/contract/operator/audit';
import { saveFrom } from '../../lib/save-from.ts';
import { Button } from '../../ui/button.tsx';
import { minuteOf } from '../../ui/formats.ts';
import { ChoiceField } from '../../ui/list/filters.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { type AuditView, auditExportAddress, useAudit } from './admin.api.ts';
import { AllAccounts, Entry, EntryLink, EntryList } from './admin-list.tsx';

const KINDS = [
  { id: 'all', name: 'Everything' },
  { id: 'act', name: 'Acts of operators' },
  { id: 'security', name: 'Security events' },
];

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
        <ChoiceField label="Show" chosen={kind} choices={KINDS} onChange={(chosen) => change({ kind: chosen })} />
        <Button onClick={() => saveFrom(auditExportAddress(view))}>Export</Button>
        <AllAccounts account={filters.account} onChoose={() => change({ account: '' })} />
      </div>
      <EntryList
        list={log}
        rowsOf={(page) => page.entries}
        loading="Loading the audit log"
        empty="Nothing is written down here yet."
        label="Audit log"
      >
        {(entry) => <AuditLine key={entry.id} entry={entry} words={words} />}
      </EntryList>
    </>
  );
}

function sentenceOf({ kind, what, about, count }: AuditEntry, words: SecurityWords): string {
  if (kind === 'act') return AUDIT_ACTS[auditAct.parse(what)];
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
          <EntryLink to={`/admin/people/${subject.id}`}>{subject.email}</EntryLink>
        ))}
      <p className="text-muted text-sm">{where.filter(Boolean).join(', ')}</p>
    </Entry>
  );
}
