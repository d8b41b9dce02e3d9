import { Link, NavLink, useNavigate } from 'react-router';
import { useSignOut } from '../../lib/auth/use-sign-out.ts';
import { useAuth } from '../../lib/auth.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import {
  BookMarked,
  ChevronsUpDown,
  Compass,
  CreditCard,
  type IconComponent,
  Layers,
  MessageSquareText,
  UserRound,
  Wrench,
} from '../../ui/icons/lucide.ts';
import { Menu } from '../../ui/overlay/menu.tsx';
import { chooseTheme } from '../../ui/page/theme.ts';
import { THEMES, useTheme } from '../../ui/page/theme-switch.tsx';

const places: { to: string; label: string; Icon: IconComponent }[] = [
  { to: '/library', label: 'My Library', Icon: BookMarked },
  { to: '/memory', label: 'Memory', Icon: Layers },
  { to: '/explore', label: 'Explore Agents', Icon: Compass },
  { to: '/billing', label: 'Billing Settings', Icon: CreditCard },
];
const papers = [
  { to: '/contact', label: 'Contact' },
  { to: '/terms', label: 'Terms' },
  { to: '/privacy', label: 'Privacy' },
];

const placeClass =
  'flex min-h-8 items-center gap-3 rounded px-2 text-muted leading-tight hover:bg-sunken hover:text-ink low:gap-2 low:text-sm aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink touch:min-h-11';

const NavItem = ({ to, label, Icon }: (typeof places)[number]) => (
  <li className="low:odd:last:col-span-2">
    <NavLink to={to} className={placeClass}>
      <Icon className="size-4 shrink-0" />
      {label}
    </NavLink>
  </li>
);

/** The lower part of every sidebar: links, the signed-in person, and sign-out. `runtime` is the address of the runtime, or of a session there. */
export function AccountNav({ runtime }: { runtime: string }) {
  const { leaving, leave } = useSignOut();
  return (
    <div className="mt-auto flex shrink-0 flex-col pt-1">
      <nav aria-label="Pages" className="border-t py-1.5">
        <ul className="low:grid low:grid-cols-2 low:gap-x-1">
          <NavItem to={runtime} label="Runtime" Icon={MessageSquareText} />
          {places.map((place) => (
            <NavItem key={place.to} {...place} />
          ))}
        </ul>
        <ul className="flex justify-between px-2 low:justify-start low:gap-x-5">
          {papers.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className="inline-flex min-h-6 items-center rounded text-muted text-sm underline-offset-4 hover:text-ink hover:underline touch:min-h-11 touch:min-w-11"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex items-center gap-1 border-t pt-1">
        <PersonMenu />
        <Button size="sm" variant="ghost" className="shrink-0 px-2" loading={leaving} onClick={leave}>
          Sign Out
        </Button>
      </div>
    </div>
  );
}

/** Who is signed in; behind the name, the account, the operator's page for operators, and the colour scheme. */
function PersonMenu() {
  const { user, me } = useAuth();
  const navigate = useNavigate();
  const theme = useTheme();
  const name = user?.displayName || user?.email || '';
  const account = { id: 'account', label: 'Account', Icon: UserRound, run: () => void navigate('/account') };
  const admin = { id: 'admin', label: 'Admin', Icon: Wrench, run: () => void navigate('/admin') };
  const themes = THEMES.map(({ value, label }) => ({
    id: value,
    label,
    checked: value === theme,
    run: () => chooseTheme(value),
  }));
  return (
    <Menu
      trigger={
        <button
          type="button"
          title={user?.email}
          className="flex min-h-10 min-w-0 flex-1 items-center gap-2 rounded px-2 text-left hover:bg-sunken touch:min-h-11"
        >
          <Avatar name={name} photo={user?.photoURL ?? null} />
          <span className="min-w-0 flex-1 whitespace-nowrap text-muted text-xs">
            Logged in as <span className="block truncate font-semibold text-ink text-sm leading-tight">{name}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" />
        </button>
      }
      groups={[
        { items: me?.operator === true ? [account, admin] : [account] },
        { label: 'Colour scheme', items: themes },
      ]}
    />
  );
}
