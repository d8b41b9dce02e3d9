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

const SECTIONS = [
  { to: '/admin', label: 'Overview', end: true },
  { to: '/admin/people', label: 'People' },
  { to: '/admin/library', label: 'Library' },
  { to: '/admin/inbox', label: 'Inbox' },
  { to: '/admin/payments', label: 'Payments' },
  { to: '/admin/jobs', label: 'Jobs' },
  { to: '/admin/providers', label: 'Providers' },
  { to: '/admin/tool-servers', label: 'Tool servers' },
  { to: '/admin/settings', label: 'Settings' },
  { to: '/admin/audit', label: 'Audit log' },
];

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
        {SECTIONS.map(({ label, ...link }) => (
          <NavLink key={link.to} {...link} className={sectionClass}>
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
  if (section === 'people') return id === undefined ? <People /> : <PersonPage key={id} accountId={id} />;
  if (id !== undefined) return undefined;
  if (section === '') return <Overview />;
  if (section === 'library') return <LibraryList />;
  if (section === 'inbox') return <InboxList />;
  if (section === 'payments') return <PaymentsList words={{ state: PAYMENT_STATES, entry: PAYMENT_ENTRIES }} />;
  if (section === 'jobs') return <JobsList />;
  if (section === 'providers') return <ProvidersList />;
  if (section === 'tool-servers') return <ToolServersList />;
  if (section === 'settings') return <SettingsPage />;
  if (section === 'audit') return <AuditList words={{ event: activityWords, network: networkWords }} />;
  return undefined;
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
