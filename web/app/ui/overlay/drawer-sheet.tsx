import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useReturnFocus } from '../focus/use-return-focus.ts';
import { IconButton } from '../icon-button.tsx';
import { X } from '../icons/lucide.ts';
import { useLatest } from '../list/use-latest.ts';
import { HomeLink } from '../page/brand.tsx';
import { InPieces } from '../page/in-pieces.tsx';

export interface DrawerSheetProps {
  open: boolean;
  onClose: () => void;
  brand: string;
  /** Buttons beside the logo. */
  tools: ReactNode;
  children: ReactNode;
}

/** The sidebar of narrow windows, over the page. */
export default function DrawerSheet({ open, ...props }: DrawerSheetProps) {
  return open && createPortal(<Sheet {...props} />, document.body);
}

/** No dialog of Radix: mounting one takes a slow phone three frames. */
function Sheet({ onClose, brand, tools, children }: Omit<DrawerSheetProps, 'open'>) {
  const sheet = useRef<HTMLDivElement>(null);
  useModal(sheet, onClose);
  return (
    <>
      <div aria-hidden="true" onClick={onClose} className="fixed inset-0 z-40 animate-fade bg-black/45 lg:hidden" />
      <div
        ref={sheet}
        role="dialog"
        aria-modal="true"
        aria-label="Sidebar"
        data-state="open"
        tabIndex={-1}
        className="fixed inset-y-0 left-0 z-50 flex w-[min(20rem,calc(100vw-3rem))] animate-fade flex-col border-r bg-surface outline-none lg:hidden"
      >
        <div className="flex h-12 shrink-0 items-center pr-2 pl-4">
          <HomeLink brand={brand} />
          <span className="flex-1" />
          {tools}
          <IconButton label="Close sidebar" onClick={onClose} Icon={X} />
        </div>
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-3 pb-2">
          <InPieces fallback={null}>{children}</InPieces>
        </div>
      </div>
    </>
  );
}

/** Keeps the focus in the sheet and the page behind it out of reach; Esc closes, and the focus returns. */
function useModal(sheet: { current: HTMLElement | null }, onClose: () => void) {
  const latest = useLatest({ ...useReturnFocus(), onClose });
  useEffect(() => {
    const { onOpenAutoFocus, onCloseAutoFocus } = latest.current;
    const page = document.getElementById('content')?.closest('body > *');
    onOpenAutoFocus();
    sheet.current?.querySelector('button')?.focus();
    page?.setAttribute('aria-hidden', 'true');
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const layer = target instanceof Element ? target.closest('[role=menu], [role=dialog], [role=alertdialog]') : null;
      // What lies over the sheet has keys of its own.
      if (sheet.current === null || (layer !== null && layer !== sheet.current)) return;
      if (event.key === 'Escape') latest.current.onClose();
      else if (event.key !== 'Tab' || !goRound(sheet.current, event.shiftKey)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      document.removeEventListener('keydown', onKeyDown, true);
      page?.removeAttribute('aria-hidden');
      onCloseAutoFocus(new Event('close'));
    };
  }, [sheet, latest]);
}

/** From the last place to the first, or back; false where Tab leads on by itself. */
function goRound(sheet: HTMLElement, back: boolean): boolean {
  const places = [...sheet.querySelectorAll<HTMLElement>('a, button, input')].filter(
    (place) => place.tabIndex >= 0 && place.getClientRects().length > 0,
  );
  const [edge, other] = back ? [places[0], places.at(-1)] : [places.at(-1), places[0]];
  const at = document.activeElement;
  if (at !== edge && at !== sheet && sheet.contains(at)) return false;
  other?.focus();
  return true;
}
