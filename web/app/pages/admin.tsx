import { PAYMENT_STATES } from '@atelier/contract/billing';
import type { ReactNode } from 'react';
import { NavLink, useParams } from 'react-router';
import { activityWords, networkWords } from '../features/accounts/activity/activity-words.ts';
import { ConfirmOwner } from '../features/accounts/ways-in/confirm-owner.tsx';
import { PAYMENT_ENTRIES } from '../features/billing/payment-words.ts';
import { AuditList } from '../features/operator/audit-list.tsx';
import { InboxList } from '../features/operator/inbox-list.tsx';
import { JobsList } from '../features/operator/jobs-list.tsx';
import { LibraryList } from '../features/operator/library-list.tsx';
import { Overview } from '../features/operator/overview.tsx';
import { PaymentsList } from '../features/operator/payments-list.tsx';
import { PeopleList } from '../features/operator/people-list.tsx';
import { PersonPage } from '../features/operator/person-page.tsx';
import { ProvidersList } from '../features/operator/providers-list.tsx';
import { SettingsPage } from '../features/operator/settings/settings-page.tsx';
import { ToolServersList } from '../features/operator/tool-servers-list.tsx';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { LoadingPage } from '../ui/page/loading-page.tsx';
import { NoPage } from '../ui/page/no-page.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Admin');

/** /admin: the operator's page, a section at each address. For everybody else there is no such page. */
export default function AdminPage() {
  const { user, me, loading, trouble, refresh } = useAuth();
  const { section = '', id } = useParams();
  if (loading || (user !== null && me === null)) {
    return <LoadingPage trouble={trouble} onRetry={() => void refresh().catch(() => {})} />;
  }
  const shown = sectionOf(section, id);
  if (me?.operator !== true || shown === undefined) return <NoPage />;
  return (
    <AccountPage title="Admin" width="wide">
      <nav aria-label="Admin" className="flex flex-wrap gap-x-5 border-b">
        {SECTIONS.map(({ name, label }) => (
          <NavLink key={name} to={name === '' ? '/admin' : `/admin/${name}`} end={name === ''} className={sectionClass}>
            {label}
          </NavLink>
        ))}
      </nav>
      {shown}
      <ConfirmOwner />
    </AccountPage>
  );
}

function sectionOf(section: string, id: string | undefined): ReactNode {
  if (id !== undefined) return section === 'people' ? <PersonPage key={id} accountId={id} /> : undefined;
  return SECTIONS.find(({ name }) => name === section)?.part;
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

const SECTIONS = [
  { name: '', label: 'Overview', part: <Overview /> },
  { name: 'people', label: 'People', part: <People /> },
  { name: 'library', label: 'Library', part: <LibraryList /> },
  { name: 'inbox', label: 'Inbox', part: <InboxList /> },
  {
    name: 'payments',
    label: 'Payments',
    part: <PaymentsList words={{ state: PAYMENT_STATES, entry: PAYMENT_ENTRIES }} />,
  },
  { name: 'jobs', label: 'Jobs', part: <JobsList /> },
  { name: 'providers', label: 'Providers', part: <ProvidersList /> },
  { name: 'tool-servers', label: 'Tool servers', part: <ToolServersList /> },
  { name: 'settings', label: 'Settings', part: <SettingsPage /> },
  { name: 'audit', label: 'Audit log', part: <AuditList words={{ event: activityWords, network: networkWords }} /> },
];
