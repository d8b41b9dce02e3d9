import { NavLink, useParams } from 'react-router';
import { activityWords, networkWords } from '../features/accounts/activity/activity-words.ts';
import { ConfirmOwner } from '../features/accounts/ways-in/confirm-owner.tsx';
import { AuditList } from '../features/operator/audit-list.tsx';
import { PeopleList } from '../features/operator/people-list.tsx';
import { PersonPage } from '../features/operator/person-page.tsx';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { LoadingPage } from '../ui/page/loading-page.tsx';
import { NoPage } from '../ui/page/no-page.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Admin');

const SECTIONS = [
  { to: '/admin/people', label: 'People' },
  { to: '/admin/audit', label: 'Audit log' },
];

/** /admin: the operator's page, a section at each address. For everybody else there is no such page. */
export default function AdminPage() {
  const { user, me, loading, trouble, refresh } = useAuth();
  const { section = 'people', id } = useParams();
  if (loading || (user !== null && me === null)) {
    return <LoadingPage trouble={trouble} onRetry={() => void refresh().catch(() => {})} />;
  }
  const isSection = section === 'people' || (section === 'audit' && id === undefined);
  if (me?.operator !== true || !isSection) return <NoPage />;
  return (
    <AccountPage title="Admin" width="wide">
      <nav aria-label="Admin" className="flex flex-wrap gap-x-5 border-b">
        {SECTIONS.map(({ to, label }) => (
          <NavLink key={to} to={to} className={sectionClass}>
            {label}
          </NavLink>
        ))}
      </nav>
      {section === 'audit' && <AuditList words={{ event: activityWords, network: networkWords }} />}
      {section === 'people' && (id === undefined ? <People /> : <PersonPage key={id} accountId={id} />)}
      <ConfirmOwner />
    </AccountPage>
  );
}

const sectionClass =
  'inline-flex min-h-10 items-center border-transparent border-b-2 text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-ink touch:min-h-11';

const People = () => (
  <>
    <p className="text-muted">
      This page shows counts and sizes, and nothing that people wrote. The person who runs the server can still read its
      database.
    </p>
    <PeopleList />
  </>
);
