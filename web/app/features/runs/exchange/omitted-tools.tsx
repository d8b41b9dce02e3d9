import type { Task } from '@atelier/contract/runs';
import { shownToolName } from '@atelier/contract/tools';

/** Which of the agent's tools its model was not offered directly, and why. */
export function OmittedTools({ task }: { task: Task }) {
  const omissions = task.toolsLeftOut ?? [];
  if (omissions.length === 0) return null;
  const names = (why: 'room' | 'missing') =>
    omissions.filter((tool) => tool.why === why).map(({ id }) => shownToolName(id));
  const [searched, missing] = [names('room'), names('missing')];
  return (
    <details className="max-w-[72ch] text-muted text-sm">
      <summary className="min-h-8 cursor-pointer touch:min-h-11">
        {[
          searched.length > 0
            ? `${counted(searched.length)} more than the model takes at once; it could search them.`
            : '',
          missing.length > 0 ? `${counted(missing.length)} not here any more.` : '',
        ]
          .filter(Boolean)
          .join(' ')}
      </summary>
      <p className="max-h-40 overflow-y-auto break-words font-mono text-xs" tabIndex={0}>
        {[...missing, ...searched].join(', ')}
      </p>
    </details>
  );
}

const counted = (n: number) => (n === 1 ? '1 tool was' : `${n} tools were`);
