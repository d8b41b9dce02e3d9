import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../focus/use-return-focus.ts';
import { IconButton } from '../icon-button.tsx';
import { HomeLink } from '../page/home-link.tsx';

export interface DrawerSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  brand: string;
  children: ReactNode;
}

/** The sidebar of narrow windows, over the page. */
export default function DrawerSheet({ open, onOpenChange, brand, children }: DrawerSheetProps) {
  const focus = useReturnFocus();
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-black/45 lg:hidden" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-[min(20rem,calc(100vw-3rem))] animate-fade flex-col border-r bg-surface lg:hidden"
        >
          <Dialog.Title className="sr-only">Sidebar</Dialog.Title>
          <div className="flex h-14 shrink-0 items-center justify-between pr-2 pl-4">
            <HomeLink brand={brand} />
            <Dialog.Close asChild>
              <IconButton label="Close sidebar" Icon={X} />
            </Dialog.Close>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-3 pb-3">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
