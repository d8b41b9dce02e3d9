import { SEARCH_MAX } from '@atelier/contract/explore';
import type { LibraryAgent } from '@atelier/contract/operator/library';
import { publicAgentPath } from '../../lib/addresses.ts';
import { REPORT_LABELS } from '../../lib/agent-labels.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { formatNumber, minuteOf } from '../../ui/formats.ts';
import { SearchField } from '../../ui/list/filters.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { ActDialog } from './act-dialog.tsx';
import { useActOnAgent, useLibrary } from './admin.api.ts';
import { AdminLink, EntryList } from './admin-list.tsx';
import { PublishingAct } from './publishing-act.tsx';

/** Public agents: those that were reported, those with most reports first, or those that are looked for. */
export function LibraryList() {
  const { filters, change } = useFilters(['search']);
  const search = filters.search.trim().slice(0, SEARCH_MAX);
  const library = useLibrary(search);
  const isSearch = search !== '';
  return (
    <>
      <div className="max-w-sm">
        <SearchField
          label="Search public agents"
          placeholder="A name, or its author"
          maxLength={SEARCH_MAX}
          words={filters.search}
          onChange={(words) => change({ search: words })}
        />
      </div>
      <EntryList
        list={library}
        rowsOf={(page) => page.agents}
        loading="Loading public agents"
        empty={
          isSearch
            ? 'No public agent matches. Try a part of its name, or its author.'
            : 'No agent is reported. You can search all public agents above.'
        }
        label={isSearch ? 'Public agents' : 'Reported agents'}
      >
        {(agent) => <Row key={`${agent.creatorId}/${agent.agentId}`} agent={agent} />}
      </EntryList>
    </>
  );
}

function Row({ agent }: { agent: LibraryAgent }) {
  const { creatorId, agentId, name, creatorName, creatorEmail, favoriteCount, reportCount, reports } = agent;
  return (
    <li className="flex flex-col gap-2 px-4 py-3 [overflow-wrap:anywhere]">
      <div>
        <AdminLink to={publicAgentPath(creatorId, agentId)} className="font-semibold">
          <SeenName name={name} />
        </AdminLink>
        <p className="text-muted text-sm">
          by <SeenName name={creatorName} />, <AdminLink to={`/admin/people/${creatorId}`}>{creatorEmail}</AdminLink>
          {agent.publishingBlocked !== null && <span className="text-danger"> Publishing blocked</span>}
        </p>
        <p className="text-muted text-sm">
          {formatNumber(favoriteCount)} {favoriteCount === 1 ? 'favorite' : 'favorites'}, {formatNumber(reportCount)}{' '}
          open {reportCount === 1 ? 'report' : 'reports'}
        </p>
        {agent.imitates && (
          <p className="text-sm text-warning">
            Its name looks like the earlier{' '}
            <AdminLink to={publicAgentPath(agent.imitates.creatorId, agent.imitates.agentId)}>
              “<SeenName name={agent.imitates.name} />”
            </AdminLink>
          </p>
        )}
      </div>
      {reports.length > 0 && <Reports agent={agent} />}
      <Acts agent={agent} />
    </li>
  );
}

const Reports = ({ agent: { name, reports, reportCount } }: { agent: LibraryAgent }) => (
  <>
    <ul aria-label={`Reports of ${name}`} className="flex flex-col gap-2 border-l-2 pl-3 text-sm">
      {reports.map(({ at, kind, words, by }) => (
        <li key={`${at} ${by.id}`} className="whitespace-pre-line">
          {REPORT_LABELS[kind]}
          {words !== '' && (
            <>
              : <SeenText text={words} />
            </>
          )}
          <span className="block text-muted">
            {minuteOf(at)}, by {by.email}
          </span>
        </li>
      ))}
    </ul>
    {reportCount > reports.length && (
      <p className="text-muted text-sm">The latest {formatNumber(reports.length)} are shown.</p>
    )}
  </>
);

function Acts({ agent }: { agent: LibraryAgent }) {
  const onAgent = useActOnAgent(agent);
  const decide =
    (act: 'dismiss' | 'unpublish') =>
    ({ reason }: { reason: string }) =>
      onAgent.mutateAsync({ act, reason });
  return (
    <div role="group" aria-label={`Acts on ${agent.name}`} className="flex flex-wrap gap-2">
      {agent.reportCount > 0 && (
        <ActDialog
          label="Dismiss reports"
          title={`Dismiss the reports of “${agent.name}”?`}
          needsReason={false}
          act={decide('dismiss')}
          done="The reports are closed."
        >
          <p>The agent stays public. People who reported it can report it again once it is published again.</p>
        </ActDialog>
      )}
      <ActDialog
        label="Unpublish"
        title={`Unpublish “${agent.name}”?`}
        isDanger
        act={decide('unpublish')}
        done="The agent is private now."
      >
        <p>The agent becomes private. Its author keeps it, and reads the reason in their library.</p>
      </ActDialog>
      <PublishingAct isBlocked={agent.publishingBlocked !== null} accountId={agent.creatorId} />
    </div>
  );
}
