import { type ReactNode, startTransition, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { IconButton } from '../icon-button.tsx';
import { Menu, Search } from '../icons/lucide.ts';
import { later } from '../later.tsx';
import { HomeLink } from './brand.tsx';
import { isBehindDrawer, noteDrawer, useDrawerRequest } from './drawer-request.ts';

const DrawerSheet = later(() => import('../overlay/drawer-sheet.tsx'));

export interface AppShellProps {
  /** The product's name, beside its logo. */
  brand: string;
  /** Opens the search, by the button beside the logo. */
  onSearch: () => void;
  /** Links and lists; a drawer below 1024 px. */
  sidebar: ReactNode;
  /** The line above the content. */
  header: ReactNode;
  /** A notice for the whole page, between header and content. */
  notice?: ReactNode;
  children: ReactNode;
}

/** The frame of every signed-in page: sidebar, header, and content that fills the rest of the window. */
export function AppShell({ brand, onSearch, sidebar, header, notice, children }: AppShellProps) {
  const hasSidebar = useWasWide();
  const tools = <IconButton label="Search" title="Search (Ctrl K)" onClick={onSearch} Icon={Search} />;
  return (
    // Positioned, because hidden text for screen readers at the end of a list would otherwise make the window scroll. It takes pointers by
    // itself: a dialog turns them off for the body, and all styles of the page would be calculated again.
    <div className="pointer-events-auto relative flex h-dvh overflow-hidden">
      {/* A landmark of its own: the announcement above may have a link, and then this is not the first of the page. */}
      <nav aria-label="Skip">
        <a href="#content" className={skipClass}>
          Skip to content
        </a>
      </nav>
      <aside aria-label="Sidebar" className="hidden w-72 shrink-0 flex-col border-r bg-surface lg:flex">
        {hasSidebar && (
          <>
            <div className="flex h-14 shrink-0 items-center justify-between pr-2 pl-4">
              <HomeLink brand={brand} />
              {tools}
            </div>
            <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-3 pb-2">{sidebar}</div>
          </>
        )}
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex shrink-0 gap-2 border-b bg-paper px-3 sm:items-center sm:px-5">
          <Drawer brand={brand} tools={tools} sidebar={sidebar} />
          <div className="flex min-h-14 min-w-0 flex-1 flex-wrap items-center gap-x-3 py-1.5 sm:flex-nowrap">
            {header}
          </div>
        </header>
        {notice}
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-none">
          {children}
        </main>
      </div>
    </div>
  );
}

const skipClass =
  'sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-raised focus:px-4 focus:py-2';

function Drawer({ brand, tools, sidebar }: { brand: string; tools: ReactNode; sidebar: ReactNode }) {
  const { key, state } = useLocation();
  // The drawer's state belongs to one history entry, so every navigation closes it but one that only follows an answer.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isWide = useIsWide();
  // And in a wide window, where the sidebar is always shown, there is none.
  if (openAt !== null && (isWide || openAt !== key)) setOpenAt(!isWide && isBehindDrawer(state) ? key : null);
  // In short pieces: a slow phone would stand still meanwhile.
  const open = useCallback(() => startTransition(() => setOpenAt(key)), [key]);
  const close = useCallback(() => setOpenAt(null), []);
  const isOpen = openAt === key;
  useDrawerRequest(open);
  useEffect(() => (isOpen ? noteDrawer(close) : undefined), [isOpen, close]);
  return (
    <>
      <IconButton
        label="Open sidebar"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
        className="my-1.5 lg:hidden"
        Icon={Menu}
      />
      <DrawerSheet open={isOpen} onClose={close} brand={brand} tools={tools}>
        {sidebar}
      </DrawerSheet>
    </>
  );
}

/** The width at which the sidebar is beside the content; the same as the classes' `lg`. */
const WIDE = '(min-width: 64rem)';

function subscribe(listener: () => void) {
  const wide = matchMedia(WIDE);
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether the window is wide enough for a sidebar beside the content. */
const useIsWide = () =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => true,
  );

/**
 * The same, or it was since the page opened: a narrow window need not render a sidebar that it hides, and one that becomes narrow keeps what
 * was typed there.
 */
function useWasWide(): boolean {
  const isWide = useIsWide();
  const [was, setWas] = useState(isWide);
  if (isWide && !was) setWas(true);
  return isWide || was;
}
