import type { PublicAgent } from '@atelier/contract/explore';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { dayOf } from '../../ui/formats.ts';
import { Lock } from '../../ui/icons/lucide.ts';
import { ImitationMark, Starters, TagLinks } from './agent-notes.tsx';
import { ReportButton } from './report-agent.tsx';

/** Everything that is public of an agent, the whole prompt above all. */
export function PublicAgentView({ agent }: { agent: PublicAgent }) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center gap-3">
        <AgentMark id={agent.id} size={48} />
        <div className="min-w-0 flex-1">
          <p>
            by <SeenName name={agent.creatorName} />
          </p>
          <p className="text-muted text-sm">
            Changed on <time dateTime={agent.updatedAt}>{dayOf(agent.updatedAt)}</time>
          </p>
        </div>
      </div>
      <ImitationMark imitates={agent.imitates} />
      {agent.description && (
        <p>
          <SeenText text={agent.description} />
        </p>
      )}
      <Starters starters={agent.starters} whole />
      <TagLinks tags={agent.tags} />
      <section aria-labelledby="public-prompt" className="flex flex-col gap-1">
        <h3 id="public-prompt" className="font-semibold text-sm">
          Prompt
        </h3>
        <p dir="auto" className="whitespace-pre-wrap rounded border bg-sunken px-4 py-3">
          <SeenText text={agent.prompt} />
        </p>
      </section>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
        <dt className="text-muted">Model</dt>
        <dd className="font-mono">{agent.model}</dd>
        <dt className="text-muted">Temperature</dt>
        <dd className="font-mono">{agent.temperature.toFixed(1)}</dd>
        <dt className="text-muted">Memory</dt>
        <dd>{agent.memoryEnabled ? 'on' : 'off'}</dd>
        <dt className="text-muted">Tools</dt>
        <dd className="font-mono">{agent.tools.length === 0 ? 'none' : agent.tools.join(', ')}</dd>
      </dl>
      <p className="flex items-start gap-2 text-muted text-sm">
        <Lock className="mt-1 size-4 shrink-0" />
        Your copy is private and starts without memories, sessions or files.
      </p>
      <ReportButton agent={agent} />
    </div>
  );
}
