import { CONTACT_LIMITS } from '@atelier/contract/contact';
import { type InboxMessage, inboxBox } from '@atelier/contract/operator/inbox';
import { useState } from 'react';
import { SendForm } from '../../lib/send-form.tsx';
import { openForm, useSavedText } from '../../lib/typed/saved-form.ts';
import { Button } from '../../ui/button.tsx';
import { minuteOf } from '../../ui/formats.ts';
import { ChoiceField } from '../../ui/list/filters.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { AreaField } from '../../ui/text-field.tsx';
import { ActDialog } from './act-dialog.tsx';
import { useCloseMessage, useInbox, useReply } from './admin.api.ts';
import { Entry, EntryActs, EntryLink, EntryList } from './admin-list.tsx';

const BOXES = [
  { id: 'open', name: 'Open' },
  { id: 'answered', name: 'Answered' },
  { id: 'held', name: 'Held back: they look automated' },
];

const EMPTY = {
  open: 'No message waits for an answer.',
  answered: 'No message has been answered yet.',
  held: 'No message looks automated.',
};

/** What people wrote on the contact page. */
export function InboxList() {
  const { filters, change } = useFilters(['box']);
  const box = inboxBox.catch('open').parse(filters.box);
  const inbox = useInbox({ box });
  const mail = inbox.data?.pages[0]?.mail;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField label="Show" chosen={box} choices={BOXES} onChange={(chosen) => change({ box: chosen })} />
      </div>
      {mail === false && (
        <p className="text-muted">
          This server mails nobody; SMTP_URL and PUBLIC_URL change that. Write from your own mailbox, then mark the
          message as answered.
        </p>
      )}
      <EntryList
        list={inbox}
        rowsOf={(page) => page.messages}
        loading="Loading the messages"
        empty={EMPTY[box]}
        label="Messages"
      >
        {(message) => <Message key={message.id} message={message} mail={mail === true} />}
      </EntryList>
    </>
  );
}

function Message({ message, mail }: { message: InboxMessage; mail: boolean }) {
  const { id, at, email, accountId, message: text, delivery, answeredAt, answer } = message;
  return (
    <Entry>
      <p className="font-semibold">{email}</p>
      <p className="text-muted text-sm">
        {minuteOf(at)}
        {delivery === 'refused' && ', not in your mailbox: the mail service refused it'}
      </p>
      <p dir="auto" className="mt-2 whitespace-pre-wrap">
        {text}
      </p>
      {accountId !== null && <EntryLink to={`/admin/people/${accountId}`}>Their account</EntryLink>}
      {answeredAt === null ? (
        <EntryActs>
          {mail ? (
            <Reply id={id} email={email} />
          ) : (
            <EntryLink to={`mailto:${encodeURIComponent(email)}`}>Write to {email}</EntryLink>
          )}
          <Close id={id} />
        </EntryActs>
      ) : (
        <div className="mt-2 border-s-2 ps-3">
          <p className="text-muted text-sm">Answered {minuteOf(answeredAt)}</p>
          {answer !== null && (
            <p dir="auto" className="whitespace-pre-wrap">
              {answer}
            </p>
          )}
        </div>
      )}
    </Entry>
  );
}

function Close({ id }: { id: string }) {
  const { mutateAsync } = useCloseMessage(id);
  return (
    <ActDialog
      label="Mark as answered"
      title="Mark this message as answered?"
      needsReason={false}
      act={mutateAsync}
      done="The message is marked as answered."
    >
      <p>Nothing is mailed from here.</p>
    </ActDialog>
  );
}

const FORM = 'reply:';

function Reply({ id, email }: { id: string; email: string }) {
  const [open, setOpen] = useState(() => openForm(FORM) === id);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Reply
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={`Reply to ${email}`} size="lg">
        <ReplyForm id={id} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ReplyForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [text, write] = useSavedText(`${FORM}${id}`, '');
  const reply = useReply(id);
  const isEmpty = text.trim() === '';
  useUnsavedArea(!isEmpty && !reply.isPending);
  const send = () =>
    reply.mutate(text, {
      onSuccess: () => {
        toast.success('The reply is on its way.');
        onDone();
      },
    });
  return (
    <SendForm label="Send reply" isReady={!isEmpty} sending={reply} onSend={send}>
      <AreaField
        label="Reply"
        hint="It is mailed with the message below it, which is marked as answered."
        rows={8}
        maxLength={CONTACT_LIMITS.message}
        value={text}
        onChange={(event) => write(event.target.value)}
      />
    </SendForm>
  );
}
