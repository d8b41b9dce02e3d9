import './ui/page/theme.css';
// Part of the one style sheet: fetched together with the conversation, it would hold back its first paint.
import './features/runs/answer/answer-text.css';
import { SENTENCES } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import sansLatin from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import type { Route } from './+types/root.ts';
import { PaymentNews } from './features/billing/payment-news.tsx';
import { SearchHost } from './features/search/search-host.tsx';
import { AnnouncementNews, AnnouncementPlace, announcementScript } from './lib/announcement.tsx';
import { AuthProvider } from './lib/auth.tsx';
import { earlyScript } from './lib/early.ts';
import { inputMethodScript } from './lib/input-method.ts';
import { goOnScript, NavigationGuard } from './lib/navigation-guard.tsx';
import { queryClient } from './lib/query.ts';
import { signInScript } from './lib/sign-in-mark.ts';
import { Unusable, unusableScript } from './lib/unusable.tsx';
import { Button } from './ui/button.tsx';
import { Toaster } from './ui/overlay/toast.tsx';
import { UnsavedQuestion } from './ui/overlay/unsaved.tsx';
import { LoadingPage } from './ui/page/loading-page.tsx';
import { NoPage } from './ui/page/no-page.tsx';
import { themeScript } from './ui/page/theme.ts';
import { part } from './ui/part.tsx';

export const meta: Route.MetaFunction = () => [
  { title: PRODUCT_NAME },
  { name: 'description', content: 'A workshop for AI agents that remember.' },
];

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: sansLatin, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/icon-192.png', type: 'image/png', sizes: '192x192' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

/** The document around every page, including the fallback and the error page. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f6f1e7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#191612" media="(prefers-color-scheme: dark)" />
        {/* Our own constant texts: the colours before the first paint, and the first requests before the application. */}
        <script
          dangerouslySetInnerHTML={{
            __html: [unusableScript, inputMethodScript, goOnScript, themeScript, signInScript, announcementScript].join(
              ';',
            ),
          }}
        />
        <script dangerouslySetInnerHTML={{ __html: earlyScript }} />
        <Meta />
        <Links />
      </head>
      <body>
        <AnnouncementPlace />
        <Unusable />
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export function HydrateFallback() {
  return <LoadingPage noSession={SENTENCES.noSession} />;
}

const Palette = part(() => import('./pages/palette-parts/palette.tsx'));

export default function Root() {
  return (
    <QueryClientProvider client={queryClient}>
      <AuthProvider>
        <AnnouncementNews />
        <Outlet />
        <SearchHost Palette={Palette} />
        <NavigationGuard />
        <PaymentNews />
        <UnsavedQuestion />
        <Toaster />
      </AuthProvider>
    </QueryClientProvider>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NoPage />;
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      <h1 className="max-w-prose text-balance font-semibold text-2xl" role="alert">
        {SENTENCES.boundary}
      </h1>
      <Button variant="primary" onClick={() => window.location.reload()}>
        Refresh the page
      </Button>
    </main>
  );
}
