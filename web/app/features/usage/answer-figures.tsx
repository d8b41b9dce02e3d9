import type { Task } from '@atelier/contract/runs';
import { Link } from 'react-router';
import { formatNumber } from '../../ui/formats.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Gauge } from '../../ui/icons/lucide.ts';
import { Popover } from '../../ui/overlay/popover.tsx';
import { modelName } from './usage-words.ts';

/** Which model answered, and how many tokens it took; on a press. Nothing where that is not known. */
export function AnswerFigures({ task: { usage, model } }: { task: Task }) {
  if (usage === null) return null;
  const figures = [
    ['Model', modelName(model)],
    ['Tokens read', formatNumber(usage.inputTokens)],
    ['Tokens written', formatNumber(usage.outputTokens)],
  ];
  return (
    <Popover
      label="What this answer took"
      className="w-72"
      trigger={
        <IconButton size="sm" label="What this answer took" className="first:-ml-2 touch:first:-ml-3.5" Icon={Gauge} />
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {figures.map(([name, figure]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="text-end tabular-nums [overflow-wrap:anywhere]">{figure}</dd>
            </div>
          ))}
        </dl>
        {usage.estimated && <p className="text-muted">Estimated: the provider did not count them.</p>}
        {usage.shortened && (
          <p className="text-muted">The conversation was too long for the model. Less of it was sent.</p>
        )}
        <Link to="/usage" className="self-start underline underline-offset-4 touch:py-2.5">
          All usage
        </Link>
      </div>
    </Popover>
  );
}
