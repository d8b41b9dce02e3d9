import {
  BookMarked,
  Compass,
  CreditCard,
  Layers,
  LogOut,
  type LucideIcon,
  MessageSquareText,
  Search,
  UserRound,
} from 'lucide-react';
import { Link, NavLink } from 'react-router';
import { useSignOut } from '../../lib/auth/use-sign-out.ts';
import { useAuth } from '../../lib/auth.tsx';
import { setSearchOpen } from '../../lib/search-open.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { ThemeSwitch } from '../../ui/page/theme-switch.tsx';

const places: { to: string; label: string; Icon: LucideIcon }[] = [
  { to: '/runtime', label: 'Runtime', Icon: MessageSquareText },
  { to: '/library', label: 'My Library', Icon: BookMarked },
  { to: '/memory', label: 'Memory', Icon: Layers },
  { to: '/explore', label: 'Explore Agents', Icon: Compass },
  { to: '/billing', label: 'Billing Settings', Icon: CreditCard },
  { to: '/account', label: 'Account', Icon: UserRound },
];
const papers = [
  { to: '/contact', label: 'Contact' },
  { to: '/terms', label: 'Terms' },
  { to: '/privacy', label: 'Privacy' },
];

function NavItem({ to, label, Icon }: (typeof places)[number]) {
  return (
    <li>
      <NavLink
        to={to}
        className="flex min-h-9 items-center gap-3 rounded px-3 text-muted leading-tight hover:bg-sunken hover:text-ink low:gap-2 low:px-2 low:text-sm aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink touch:min-h-11"
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        {label}
      </NavLink>
    </li>
  );
}

/** The lower part of every sidebar: links, the signed-in person, sign-out and the colour scheme. */
export function AccountNav() {
  const { user } = useAuth();
  const { leaving, leave } = useSignOut();
  return (
    <div className="mt-auto flex shrink-0 flex-col gap-2 pt-3">
      <button
        type="button"
        onClick={() => setSearchOpen(true)}
        className="flex min-h-9 items-center gap-3 rounded border border-edge bg-raised px-3 text-muted hover:text-ink touch:min-h-11"
      >
        <Search aria-hidden="true" className="size-4 shrink-0" />
        Search
        <span className="ml-auto touch:hidden">
          <Kbd>Ctrl K</Kbd>
        </span>
      </button>
      <nav aria-label="Pages" className="border-t pt-3">
        <ul className="low:grid low:grid-cols-2 low:gap-x-1">
          {places.map((place) => (
            <NavItem key={place.to} {...place} />
          ))}
        </ul>
        <ul className="mt-2 flex flex-wrap gap-x-5 px-3">
          {papers.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className="inline-flex min-h-8 items-center rounded text-muted text-sm underline-offset-4 hover:text-ink hover:underline touch:min-h-11 touch:min-w-11"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex flex-col gap-2 border-t px-3 pt-3">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={user?.displayName || user?.email || ''} photo={user?.photoURL ?? null} />
          <p className="min-w-0 text-muted text-sm">
            Logged in as{' '}
            <span className="block truncate font-semibold text-ink" title={user?.email}>
              {user?.displayName || user?.email}
            </span>
          </p>
        </div>
        <div className="flex items-center justify-between gap-2">
          <Button size="sm" variant="ghost" className="-ml-3" loading={leaving} onClick={leave}>
            {!leaving && <LogOut aria-hidden="true" className="size-4" />}
            Sign Out
          </Button>
          <ThemeSwitch />
        </div>
      </div>
    </div>
  );
}
