import { PRODUCT_NAME } from '@atelier/contract/product';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Brand } from '../../ui/page/brand.tsx';
import { ThemeSwitch } from '../../ui/page/theme-switch.tsx';

const links = [
  { to: '/contact', label: 'Contact' },
  { to: '/terms', label: 'Terms' },
  { to: '/privacy', label: 'Privacy' },
];
const linkClass = 'inline-flex items-center rounded underline-offset-4 hover:underline touch:min-h-11 touch:min-w-11';

/** Both links; the style sheet shows the right one, because most of these pages have no application to decide. */
function Entry() {
  return (
    <>
      <span className="contents signed-in:hidden">
        <ButtonLink to="/login" variant="ghost" size="sm">
          Log in
        </ButtonLink>
        <ButtonLink to="/signup" size="sm">
          Sign up
        </ButtonLink>
      </span>
      <span className="hidden signed-in:contents">
        <ButtonLink to="/runtime" size="sm">
          Back to the runtime
        </ButtonLink>
      </span>
    </>
  );
}

/** The frame of public pages, complete without any script. */
export function PublicPage({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex print:hidden w-full max-w-6xl items-center justify-between gap-4 px-5 py-4 sm:px-8">
        <Link to="/" className="flex rounded">
          <Brand name={PRODUCT_NAME} />
        </Link>
        <nav aria-label="Account" className="flex items-center gap-2 sm:gap-3">
          <Entry />
        </nav>
      </header>
      <main className="flex-1">{children}</main>
      <footer className="mt-20 border-t print:hidden">
        <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-4 px-5 py-6 sm:px-8">
          <Brand name={PRODUCT_NAME} className="text-base" />
          <nav aria-label="Site" className="flex flex-wrap gap-x-6 gap-y-1 text-muted">
            {links.map(({ to, label }) => (
              <Link key={to} to={to} className={linkClass}>
                {label}
              </Link>
            ))}
          </nav>
          <ThemeSwitch />
        </div>
      </footer>
    </div>
  );
}
