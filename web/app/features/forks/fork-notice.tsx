import type { Agent } from '@atelier/contract/agents';
import { shownToolName } from '@atelier/contract/tools';
import { useState } from 'react';
import { Link } from 'react-router';
import { publicAgentPath } from '../../lib/addresses.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { Button } from '../../ui/button.tsx';
import { GitFork } from '../../ui/icons/lucide.ts';
import { useUpstream } from './forks.api.ts';
import { UpstreamDialog } from './upstream-dialog.tsx';

/** Whose copy an agent is, and whether the original changed since; nothing for an agent that is no copy. */
export function ForkNotice({ agent }: { agent: Agent }) {
  return agent.forkedFrom === null ? null : <Lineage agent={agent} origin={agent.forkedFrom} />;
}

function Lineage({ agent, origin }: { agent: Agent; origin: NonNullable<Agent['forkedFrom']> }) {
  const { data } = useUpstream(agent.id);
  const [open, setOpen] = useState(false);
  const off = origin.tools.filter((tool) => !agent.tools.includes(tool));
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded border bg-surface px-4 py-2 text-sm">
      <GitFork aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <p className="min-w-40 flex-1">
        Copy of{' '}
        {data && data.state !== 'gone' ? (
          <Link to={publicAgentPath(origin.creatorId, origin.agentId)} className="rounded underline underline-offset-2">
            <SeenName name={origin.name} />
          </Link>
        ) : (
          <>
            “<SeenName name={origin.name} />”
          </>
        )}
        {data?.creatorName && (
          <>
            {' '}
            by <SeenName name={data.creatorName} />
          </>
        )}
        {data?.state === 'gone' && ', which is no longer public'}.
        {data?.state === 'changed' && <strong className="block">The original changed.</strong>}
        {off.length > 0 && (
          <span className="block">
            The original uses <span className="font-mono">{off.map(shownToolName).join(', ')}</span>. Turn on what you
            trust under Tools.
          </span>
        )}
      </p>
      {data?.state === 'changed' && (
        <Button size="sm" onClick={() => setOpen(true)}>
          See the difference
        </Button>
      )}
      {data && <UpstreamDialog open={open} onOpenChange={setOpen} agentId={agent.id} upstream={data} />}
    </div>
  );
}
