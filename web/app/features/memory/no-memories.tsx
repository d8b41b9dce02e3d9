import { Link } from 'react-router';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Why the list is empty. */
export function NoMemories({ filtered }: { filtered: boolean }) {
  if (filtered) return <EmptyState title="No memories match. Remove a filter or try other words." />;
  return (
    <EmptyState
      title="Nothing is remembered yet. What you and your agents say becomes memories."
      action={
        <Link to="/runtime" className={buttonClass()}>
          Say something to an agent
        </Link>
      }
    />
  );
}
