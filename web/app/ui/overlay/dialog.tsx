import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { classes } from '../classes.ts';
import { focusFirstField } from '../focus/first-field.ts';
import { useReturnFocus } from '../focus/use-return-focus.ts';
import { IconButton } from '../icon-button.tsx';
import { X } from '../icons/lucide.ts';
import { useAboveDrawer } from '../page/drawer-request.ts';
import { overlayClass, sheetClass } from './sheet-classes.ts';
import { InUnsavedArea, useUnsavedArea } from './unsaved.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /** The actions; visible while the content scrolls. */
  footer?: ReactNode;
  size?: keyof typeof widths;
  /** As high as the window allows from the start, for content that arrives later. */
  tall?: boolean;
  /** Closing it now would lose input. Forms inside can report this themselves, see `useUnsavedArea`. */
  unsaved?: boolean;
}

const widths = { md: 'sm:max-w-md', lg: 'sm:max-w-2xl', full: '' };

/**
 * A modal dialog. It opens with its first field in focus. Esc, the cross and clicking outside close it, after a question if input would be lost;
 * focus returns to where it was.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'md',
  tall = false,
  unsaved = false,
}: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  const focus = useReturnFocus();
  const area = useUnsavedArea(open && unsaved);
  const change = (next: boolean) => (next ? onOpenChange(true) : area.leave(() => onOpenChange(false)));
  useAboveDrawer(open, () => change(false));
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content
          {...focus}
          onOpenAutoFocus={(event) => {
            focus.onOpenAutoFocus();
            if (focusFirstField(body.current)) event.preventDefault();
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classes(sheetClass, widths[size], tall && 'h-[min(44rem,100dvh-2rem)]')}
        >
          <header className="flex items-start gap-2 border-b py-3 pr-3 pl-5">
            <div className="flex-1 py-2 touch:py-2.5">
              <Radix.Title className="font-semibold text-lg leading-6">{title}</Radix.Title>
              {description && <Radix.Description className="text-muted text-sm">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" Icon={X} />
            </Radix.Close>
          </header>
          {/* Without padding below, so that actions of a form can stick to the edge. */}
          <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-5 pt-4 after:block after:h-4 after:content-['']">
            <InUnsavedArea value={area}>{children}</InUnsavedArea>
          </div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
