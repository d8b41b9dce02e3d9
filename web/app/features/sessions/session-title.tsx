import { PRODUCT_NAME } from '@atelier/contract/product';
import type { Session } from '@atelier/contract/sessions';
import { type ReactNode, useEffect, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { noteLastSession } from './last-session.ts';
import { SessionNameEdit } from './session-name-edit.tsx';
import { useSessionActions } from './use-session-actions.ts';

/** The open session's name, in the header and in the browser's tab; a press renames it. `children` stand beside it. */
export function SessionTitle({ session, children }: { session: Session; children: ReactNode }) {
  const { id, name } = session;
  const uid = useAuth().user?.uid;
  const { change } = useSessionActions();
  const [editing, setEditing] = useState(false);
  useEffect(() => {
    if (uid !== undefined) noteLastSession(uid, id);
  }, [uid, id]);
  useEffect(() => {
    const before = document.title;
    document.title = `${name} · ${PRODUCT_NAME}`;
    return () => {
      document.title = before;
    };
  }, [name]);
  const done = (renamed: string | null) => {
    setEditing(false);
    if (renamed !== null) void change([session], { name: renamed });
  };
  return (
    <div className="order-last flex min-w-0 basis-full items-center gap-1 max-[24rem]:basis-3/5 max-[24rem]:grow sm:order-none">
      {editing ? (
        <SessionNameEdit name={name} onDone={done} />
      ) : (
        <button
          type="button"
          dir="auto"
          aria-label={`${name}: rename this session`}
          title="Rename this session"
          onClick={() => setEditing(true)}
          className="min-w-0 truncate rounded text-muted text-sm underline-offset-4 hover:underline touch:min-h-9"
        >
          {name}
        </button>
      )}
      {!editing && children}
    </div>
  );
}
