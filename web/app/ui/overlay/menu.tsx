import { type ComponentProps, cloneElement, type MouseEvent, type ReactElement, Suspense, useState } from 'react';
import type { IconComponent } from '../icons/lucide.ts';
import { part, useReady } from '../part.tsx';

// Most menus are never opened; until then, only the button exists.
const MenuSheet = part(() => import('./menu-sheet.tsx'));

/** One line of a menu; `checked` makes it one choice of several. */
export interface MenuItem {
  id: string;
  label: string;
  Icon?: IconComponent;
  /** The key that does the same, as it is written on keyboards. */
  shortcut?: string;
  danger?: boolean;
  checked?: boolean;
  /** It can't be chosen now. */
  disabled?: boolean;
  run: () => void;
}

/** Lines that belong together, divided from others. */
export interface MenuGroup {
  label?: string;
  items: readonly MenuItem[];
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** Undefined until what it needs is loaded: then it opens. */
  groups: readonly MenuGroup[] | undefined;
  /** Called before it opens, for what its lines need. */
  onOpen?: () => void;
}

const PARTS = 'nav, main, header, aside, [role=dialog]';

/** A button with a menu: arrow keys choose, Enter does it, Esc closes and gives the focus back. */
export function Menu(props: MenuProps) {
  const { trigger, groups, onOpen } = props;
  // The part of the page that the button is in: a menu outside of all parts is hard to find for screen readers, and hidden beside a dialog.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const alone = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': place !== null,
    onClick: (event: MouseEvent) => {
      onOpen?.();
      setPlace(event.currentTarget.closest<HTMLElement>(PARTS) ?? document.body);
    },
  });
  const isReady = useReady(MenuSheet, place !== null);
  if (place === null || !isReady || groups === undefined) return alone;
  return (
    <Suspense fallback={alone}>
      <MenuSheet {...props} groups={groups} place={place} />
    </Suspense>
  );
}
