import { useNavigate } from 'react-router';
import type { CommandGroup } from '../../features/search/commands.ts';
import { useAuth } from '../../lib/auth.tsx';

const PLACES = [
  { to: '/runtime', title: 'Runtime', keywords: ['chat', 'home'] },
  { to: '/library', title: 'My Library', keywords: ['agents', 'favorites'] },
  { to: '/memory', title: 'Memory', keywords: ['facts'] },
  { to: '/explore', title: 'Explore Agents', keywords: ['public', 'discover'] },
  { to: '/billing', title: 'Billing Settings', keywords: ['plan', 'upgrade', 'pro'] },
  { to: '/usage', title: 'Usage', keywords: ['tokens', 'cost', 'money'] },
  { to: '/account', title: 'Account', keywords: ['settings', 'password', 'export'] },
  { to: '/contact', title: 'Contact', keywords: ['help'] },
  { to: '/terms', title: 'Terms' },
  { to: '/privacy', title: 'Privacy' },
];

const ADMIN = {
  to: '/admin',
  title: 'Admin',
  keywords: ['operator', 'people', 'library', 'reports', 'inbox', 'payments', 'jobs', 'audit log'],
};

/** Every page; that of operators only for them. */
export function usePageCommands(): CommandGroup {
  const navigate = useNavigate();
  const isOperator = useAuth().me?.operator === true;
  const commands = [...PLACES, ...(isOperator ? [ADMIN] : [])].map(({ to, title, keywords }) => ({
    id: to,
    label: title,
    keywords: ['go to', ...(keywords ?? [])],
    run: () => void navigate(to),
  }));
  return { heading: 'Pages', commands };
}
