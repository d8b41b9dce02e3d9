import { DropdownMenu as Radix } from 'radix-ui';
import { useRef } from 'react';
import { classes } from '../classes.ts';
import { Check } from '../icons/lucide.ts';
import { Kbd } from '../kbd.tsx';
import type { MenuGroup, MenuItem, MenuProps } from './menu.tsx';

interface MenuSheetProps extends Pick<MenuProps, 'trigger'> {
  groups: readonly MenuGroup[];
  place: HTMLElement;
}

/** A menu that has been opened: its button and its lines. */
export default function MenuSheet({ trigger, groups, place }: MenuSheetProps) {
  // What a line does begins when the menu is gone, so that it may move the focus.
  const chosen = useRef<(() => void) | undefined>(undefined);
  return (
    <Radix.Root defaultOpen modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={place}>
        <Radix.Content
          ref={focusFirst}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          // A dialog cuts off what stands out of it.
          collisionBoundary={place.matches('[role=dialog]') ? [place] : []}
          onCloseAutoFocus={(event) => {
            const run = chosen.current;
            chosen.current = undefined;
            if (run === undefined) return;
            // The button first: what opens a dialog returns there.
            if (event.currentTarget instanceof HTMLElement)
              document.getElementById(triggerOf(event.currentTarget))?.focus();
            event.preventDefault();
            run();
          }}
          className={sheetClass}
        >
          {groups.map((group, index) => (
            <Lines
              key={group.label ?? group.items[0]?.id}
              group={group}
              isFirst={index === 0}
              onChoose={(item) => {
                chosen.current = item.run;
              }}
            />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Radix does so for keys that it has seen; the first one came before this code. A line that a next key has reached keeps the focus. */
function focusFirst(sheet: HTMLElement | null) {
  requestAnimationFrame(() => {
    if (!sheet?.querySelector(':focus')) sheet?.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
  });
}

const triggerOf = (sheet: HTMLElement) => sheet.getAttribute('aria-labelledby') ?? '';

const sheetClass = classes(
  'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-[min(20rem,calc(100vw-1rem))] overflow-y-auto',
  'animate-fade rounded-lg border bg-raised p-1 text-ink shadow-raised',
);
const itemClass = classes(
  'flex min-h-9 cursor-pointer select-none items-center gap-3 rounded px-3 text-sm outline-none touch:min-h-11',
  'data-highlighted:bg-sunken data-disabled:cursor-not-allowed data-disabled:opacity-60',
);

function Lines(props: { group: MenuGroup; isFirst: boolean; onChoose: (item: MenuItem) => void }) {
  const { group, isFirst, onChoose } = props;
  return (
    <>
      {!isFirst && <Radix.Separator className="my-1 h-px bg-line" />}
      <Radix.Group>
        {group.label && <Radix.Label className="px-3 py-1 text-muted text-xs">{group.label}</Radix.Label>}
        {group.items.map((item) =>
          item.checked === undefined ? (
            <Radix.Item
              key={item.id}
              disabled={item.disabled ?? false}
              onSelect={() => onChoose(item)}
              className={classes(itemClass, item.danger && 'text-danger')}
            >
              <Line item={item} />
            </Radix.Item>
          ) : (
            <Radix.CheckboxItem
              key={item.id}
              checked={item.checked}
              onSelect={() => onChoose(item)}
              className={itemClass}
            >
              <Line item={item} />
              <Radix.ItemIndicator className="ml-auto">
                <Check className="size-4" />
              </Radix.ItemIndicator>
            </Radix.CheckboxItem>
          ),
        )}
      </Radix.Group>
    </>
  );
}

const Line = ({ item: { Icon, label, shortcut } }: { item: MenuItem }) => (
  <>
    {Icon && <Icon className="size-4 shrink-0" />}
    <span className="min-w-0 truncate">{label}</span>
    {shortcut && (
      <span aria-hidden="true" className="ml-auto touch:hidden">
        <Kbd>{shortcut}</Kbd>
      </span>
    )}
  </>
);
