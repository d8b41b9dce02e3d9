import { PRODUCT_NAME } from '@atelier/contract/product';
import type { ReactNode } from 'react';
import { RequireUser } from '../../lib/auth.tsx';
import { AppShell } from '../../ui/app-shell.tsx';
import { AccountNav } from './account-nav.tsx';

/** A page for signed-in users: the guard, the sidebar, a title, and content at reading width. */
export function AccountPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <RequireUser>
      <AppShell
        brand={PRODUCT_NAME}
        sidebar={<AccountNav />}
        header={<h1 className="truncate font-semibold text-lg">{title}</h1>}
      >
        <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-4 py-8 sm:px-8">{children}</div>
      </AppShell>
    </RequireUser>
  );
}
