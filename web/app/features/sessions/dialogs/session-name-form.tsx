import { SESSION_NAME_MAX, type Session } from '@atelier/contract/sessions';
import { useChangeSessions } from '../change-sessions.api.ts';
import { closeSessionDialog } from '../session-dialog-store.ts';
import { NameForm } from './name-form.tsx';

/** Renames sessions. */
export function SessionNameForm({ sessions }: { sessions: readonly Session[] }) {
  const change = useChangeSessions();
  const ids = sessions.map((session) => session.id);
  const only = sessions.length === 1 ? sessions[0] : undefined;
  return (
    <NameForm
      label="Session name"
      initial={only?.name ?? ''}
      max={only ? SESSION_NAME_MAX : SESSION_NAME_MAX - ` ${ids.length}`.length}
      action="Rename"
      save={(name) => change.mutateAsync({ ids, change: { name } }).then(closeSessionDialog)}
    />
  );
}
