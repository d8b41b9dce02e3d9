import { memo, useRef } from 'react';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { X } from '../../ui/icons/lucide.ts';
import { PickBox } from './list/pick-box.tsx';
import { RowMenu } from './list/row-menu.tsx';
import { SessionLink, type SessionRowProps } from './list/session-link.tsx';
import { SessionNameEdit } from './session-name-edit.tsx';

/** One session of the list: a link with a menu, renamed in place, deleted with the cross; a checkbox while several are selected. */
export const SessionRow = memo(function SessionRow({ editing, ...props }: SessionRowProps) {
  const { session, selected, picking, picked, handlers } = props;
  const row = useRef<HTMLLIElement>(null);
  const finish = (name: string | null, byKey: boolean) => {
    handlers.edit(null);
    if (name !== null) void handlers.actions.change([session], { name });
    // The link exists again only after this state has been rendered.
    if (byKey) requestAnimationFrame(() => row.current?.querySelector('a')?.focus());
  };
  return (
    <li
      ref={row}
      className={classes(
        'group relative flex h-(--row) shrink-0 items-center rounded hover:bg-sunken focus-within:bg-sunken',
        (selected || picked) && 'bg-sunken',
      )}
    >
      {editing ? (
        <SessionNameEdit name={session.name} onDone={finish} />
      ) : (
        <>
          {picking && <PickBox {...props} />}
          <SessionLink {...props} />
          {!picking && (
            <span className={actionsClass}>
              <RowMenu session={session} handlers={handlers} />
              <IconButton
                size="sm"
                tabIndex={-1}
                label={`Delete session ${session.name}`}
                onClick={() => void handlers.actions.remove([session])}
                Icon={X}
              />
            </span>
          )}
        </>
      )}
    </li>
  );
});

/** Over the end of the name, inside its focus ring, when a mouse or the keyboard is near. A finger can't be near: touch screens reserve a place. */
const actionsClass = classes(
  'absolute inset-y-0.5 right-0.5 flex items-center rounded-r-sm bg-sunken px-0.5 opacity-0',
  'group-hover:opacity-100 group-focus-within:opacity-100 has-aria-expanded:opacity-100',
  'touch:static touch:shrink-0 touch:bg-transparent touch:pr-1 touch:pl-0 touch:opacity-100',
);
