import { useState } from 'react';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { FolderChoice } from './dialogs/folder-choice.tsx';
import { FolderNameForm } from './dialogs/folder-name-form.tsx';
import { SessionNameForm } from './dialogs/session-name-form.tsx';
import { closeSessionDialog, type SessionQuestion, useSessionQuestion } from './session-dialog-store.ts';

/** The dialogs that name sessions and folders, and choose a folder. Used once, by the page. */
export default function SessionDialogs() {
  const question = useSessionQuestion();
  // What was asked last stays in the dialog while it closes.
  const [shown, setShown] = useState(question);
  if (question !== null && question !== shown) setShown(question);
  if (shown === null) return null;
  return <Question question={shown} open={question !== null} />;
}

function Question({ question, open }: { question: SessionQuestion; open: boolean }) {
  const dialog = { open, onOpenChange: (next: boolean) => !next && closeSessionDialog() };
  if (question.kind === 'move') {
    return (
      <Dialog {...dialog} title="Move to folder">
        {open && <FolderChoice sessions={question.sessions} />}
      </Dialog>
    );
  }
  if (question.kind === 'rename') {
    const many = question.sessions.length > 1;
    return (
      <Dialog
        {...dialog}
        title={many ? `Rename ${question.sessions.length} sessions` : 'Rename session'}
        description={many ? 'Each gets this name with a number: “Name 1”, “Name 2”.' : undefined}
      >
        {open && <SessionNameForm sessions={question.sessions} />}
      </Dialog>
    );
  }
  return (
    <Dialog {...dialog} title={question.folder ? 'Rename folder' : 'New folder'}>
      {open && <FolderNameForm folder={question.folder} onSaved={closeSessionDialog} />}
    </Dialog>
  );
}
