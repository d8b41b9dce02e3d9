import { INVITATION_LIMITS, type Invitation } from '@atelier/contract/accounts/invitations';
import type { FormEvent } from 'react';
import { errorText } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast-error.ts';
import { ErrorLine } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus.ts';
import { dayOf } from '../../../ui/formats.ts';
import { DangerButton } from '../../../ui/overlay/danger-button.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useInvitations, useInvite, useRemoveInvitation } from './invitations.api.ts';

/** The section of the account page about links with which others may open an account; nothing where only the operator invites. */
export function Invitations() {
  const { data, isShown } = useInvitations();
  if (!isShown || data === undefined) return null;
  const { invitations, most } = data;
  return (
    <Section title="Invitations">
      <p className="mt-2 text-muted">
        Anyone with one of these links can create an account here, until it is used up or expires.
      </p>
      {invitations.length === 0 && <p className="mt-4">You have no open invitations.</p>}
      {invitations.length > 0 && (
        <ul aria-label="Invitations" className="mt-2 flex flex-col divide-y">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
      {invitations.length < most && <InviteForm />}
      {invitations.length >= most && most > 0 && (
        <p className="mt-4 text-muted">You can’t have more open invitations. End one to create another.</p>
      )}
    </Section>
  );
}

const usesOf = ({ uses, maxUses }: Invitation) =>
  maxUses === 1 ? 'For one person' : `${uses} of ${maxUses} people have joined`;

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const row = useFocusPassedOn<HTMLLIElement>('after');
  const remove = useRemoveInvitation();
  const address = `${window.location.origin}/signup#${invitation.token}`;
  const until = dayOf(invitation.endsAt);
  const end = () =>
    remove.mutate(invitation.id, { onSuccess: () => toast.success('The invitation has ended.'), onError: toastError });
  return (
    <li ref={row} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 py-3">
      <p className="min-w-0 flex-1 basis-full sm:basis-48">
        {usesOf(invitation)}, until <time dateTime={invitation.endsAt}>{until}</time>
      </p>
      <CopyButton text={address} label={`Copy the invitation until ${until}`} />
      <DangerButton
        label={`End the invitation until ${until}`}
        variant="secondary"
        size="md"
        className=""
        loading={remove.isPending}
        title="End this invitation?"
        body="Its link will stop working. People who have joined stay."
        confirmLabel="End invitation"
        onConfirm={end}
      >
        End…
      </DangerButton>
    </li>
  );
}

function InviteForm() {
  const invite = useInvite();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body = { people: Number(form.get('people')), days: Number(form.get('days')) };
    invite.mutate(body, { onSuccess: () => toast.success('Invitation created. Copy its link and pass it on.') });
  };
  const count = { type: 'number', inputMode: 'numeric', min: 1, required: true } as const;
  return (
    <form onSubmit={submit} className="mt-4 flex flex-wrap items-end gap-3 border-t pt-4">
      <TextField label="People" {...count} name="people" max={INVITATION_LIMITS.people} defaultValue={1} />
      <TextField label="Days" {...count} name="days" max={INVITATION_LIMITS.days} defaultValue={7} />
      <Button type="submit" loading={invite.isPending}>
        Create an invitation
      </Button>
      {invite.isError && <ErrorLine className="basis-full">{errorText(invite.error)}</ErrorLine>}
    </form>
  );
}
