import type { Passkey } from '@atelier/contract/accounts';
import { useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { refresh } from '../../../lib/live/stale.ts';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { toastError } from '../../../lib/toast-error.ts';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus.ts';
import { dayOf } from '../../../ui/formats.ts';
import { DangerButton } from '../../../ui/overlay/danger-button.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { Setting } from '../../../ui/page/section.tsx';
import { passkeyRefusal } from '../auth-errors.ts';
import type { CredentialField } from '../credentials/credential-field.ts';
import { CredentialsForm } from '../credentials-form.tsx';
import { addPasskey, canUsePasskeys, postPasskeyName, useDeletePasskey, usePasskeys } from './ways-in.api.ts';

const nameField = (value: string): CredentialField => ({
  name: 'username',
  label: 'Name',
  missing: 'A name is required.',
  autoComplete: 'off',
  hint: 'A name to recognize it by, for example “Laptop”.',
  value,
});

/** Passkeys: signing in with a fingerprint, a face or a PIN, which no page can ask for by mistake. */
export function Passkeys() {
  const passkeys = usePasskeys();
  const [open, setOpen] = useState(false);
  const add = async (name: string) => {
    const { name: made } = await addPasskey(name);
    refresh('account');
    setOpen(false);
    toast.success(`Passkey “${made}” added.`);
  };
  return (
    <Setting
      label="Passkeys"
      actions={canUsePasskeys() ? <Button onClick={() => setOpen(true)}>Add a passkey…</Button> : undefined}
    >
      {canUsePasskeys()
        ? 'Log in with your fingerprint, face or PIN instead of a password.'
        : 'This browser can’t use passkeys at this address.'}
      <LoadFailure of={passkeys} className="mt-3 text-ink" />
      {passkeys.data && passkeys.data.length > 0 && (
        <ul aria-label="Passkeys" className="mt-3 flex flex-col divide-y rounded border px-3">
          {passkeys.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <Dialog open={open} onOpenChange={setOpen} title="Add a passkey">
        <CredentialsForm
          fields={[nameField('')]}
          submitLabel="Continue"
          workingLabel="Waiting..."
          describe={passkeyRefusal}
          onCancel={() => setOpen(false)}
          onSubmit={({ username }) => add(username.trim())}
        />
      </Dialog>
    </Setting>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt } }: { passkey: Passkey }) {
  const [naming, setNaming] = useState(false);
  const close = () => setNaming(false);
  const remove = useDeletePasskey();
  const row = useFocusPassedOn<HTMLLIElement>('after');
  const confirm = () =>
    // `mutateAsync`, because a notice may take the row away before the request is answered.
    remove.mutateAsync(id).then(() => toast.success(`Passkey “${name}” removed.`), toastError);
  return (
    <li ref={row} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 py-2 text-sm">
      <p className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
        <span className="font-semibold text-ink">{name}</span> · added {dayOf(createdAt)}
      </p>
      <Button size="sm" variant="ghost" aria-label={`Rename ${name}`} onClick={() => setNaming(true)}>
        Rename
      </Button>
      <DangerButton
        label={`Remove ${name}`}
        loading={remove.isPending}
        title={`Remove “${name}”?`}
        body="You can’t log in with it any more. Delete it in your browser or phone as well."
        confirmLabel="Remove passkey"
        onConfirm={confirm}
      >
        Remove
      </DangerButton>
      <Dialog open={naming} onOpenChange={close} title="Rename the passkey">
        <CredentialsForm
          fields={[nameField(name)]}
          submitLabel="Save"
          workingLabel="Saving..."
          describe={errorText}
          onCancel={close}
          onSubmit={async ({ username }) => {
            await postPasskeyName(id, username.trim());
            refresh('account');
            close();
          }}
        />
      </Dialog>
    </li>
  );
}
