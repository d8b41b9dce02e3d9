import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../focus/use-return-focus.ts';
import { IconButton } from '../icon-button.tsx';
import { HomeLink } from '../page/home-link.tsx';
import { InPieces } from '../page/in-pieces.tsx';

export interface DrawerSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  brand: string;
  /** Buttons beside the logo. */
  tools: ReactNode;
  children: ReactNode;
}

/** The sidebar of narrow windows, over the page. */
export default function DrawerSheet({ open, onOpenChange, brand, tools, children }: DrawerSheetProps) {
  const focus = useReturnFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        {/* Radix's own would also keep the page from scrolling, which costs a slow phone a frame; ours doesn't scroll. */}
        <div className="fixed inset-0 z-40 animate-fade bg-black/45 lg:hidden" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-[min(20rem,calc(100vw-3rem))] animate-fade flex-col border-r bg-surface lg:hidden"
        >
          <Dialog.Title className="sr-only">Sidebar</Dialog.Title>
          <div className="flex h-12 shrink-0 items-center pr-2 pl-4">
            <HomeLink brand={brand} />
            <span className="flex-1" />
            {tools}
            <Dialog.Close asChild>
              <IconButton label="Close sidebar" Icon={X} />
            </Dialog.Close>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-3 pb-2">
            <InPieces fallback={null}>{children}</InPieces>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
