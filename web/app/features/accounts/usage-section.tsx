import { Link } from 'react-router';
import { useAuth } from '../../lib/auth.tsx';
import { formatNumber } from '../../ui/formats.ts';
import { Section, Setting } from '../../ui/page/section.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';

const ROWS = [
  { label: 'Messages', count: 'messageCount', limit: 'messages' },
  { label: 'Tasks', count: 'taskCount', limit: 'tasks' },
  { label: 'Sessions', count: 'sessionCount', limit: 'sessions' },
] as const;

/** How much of the plan is used. */
export function UsageSection() {
  const { me } = useAuth();
  if (me === null) return null;
  return (
    <Section title="Usage">
      {ROWS.map(({ label, count, limit }) => {
        const [used, most] = [me.usage[count], me.limits[limit]];
        return (
          <Setting key={label} label={label}>
            {most === null ? `${formatNumber(used)} · unlimited` : `${used} of ${most} used`}
            {most !== null && (
              <div className="mt-2 max-w-64">
                <ProgressBar label={`${label} used`} share={Math.min(used / most, 1)} />
              </div>
            )}
          </Setting>
        );
      })}
      <Setting label="Tokens and cost">
        What your answers took, by day, agent and model:{' '}
        <Link to="/usage" className="text-ink underline underline-offset-4">
          see your usage
        </Link>
        .
      </Setting>
    </Section>
  );
}
