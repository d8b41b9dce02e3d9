import { settingsCalls } from '@atelier/contract/accounts/ways';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { asOwner } from '../../lib/auth/as-owner.ts';
import { useAuth } from '../../lib/auth.tsx';
import { call, errorText } from '../../lib/http.ts';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { dayOf } from '../../ui/formats.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Section, Setting } from '../../ui/page/section.tsx';
import { type CredentialField, OWN_PASSWORD } from './credentials/credential-field.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { PhotoSetting } from './photo/photo-setting.tsx';
import { useHasPassword } from './ways-in/use-has-password.ts';

/** Display name, email and plan, and how to change the first two. */
export function Profile() {
  const { me } = useAuth();
  const [open, setOpen] = useState<'name' | 'email' | null>(null);
  if (me === null) return null;
  const { user, account, security } = me;
  const close = () => setOpen(null);
  return (
    <Section title="You">
      <PhotoSetting />
      <Setting label="Display name" actions={<Button onClick={() => setOpen('name')}>Change name…</Button>}>
        {user.displayName}
      </Setting>
      <Setting label="Email" actions={<Button onClick={() => setOpen('email')}>Change email…</Button>}>
        {user.email}
        {security.mail && !user.emailVerified && <NotConfirmed />}
      </Setting>
      <Setting label="Plan">{account.subscriptionStatus === 'pro' ? 'Pro — Lifetime Access' : 'Free'}</Setting>
      <Setting label="Member since">{dayOf(account.createdAt)}</Setting>
      <Dialog open={open === 'name'} onOpenChange={close} title="Change your display name">
        <NameForm onDone={close} />
      </Dialog>
      <Dialog
        open={open === 'email'}
        onOpenChange={close}
        title="Change your email"
        description={
          security.mail ? 'We send a link to the new address. Your email changes once you open it.' : undefined
        }
      >
        <EmailForm onDone={close} />
      </Dialog>
    </Section>
  );
}

function NotConfirmed() {
  const again = useMutation({
    mutationFn: () => call(settingsCalls.mailAgain),
    onSuccess: () => toast.success('A mail with a link is on its way.'),
    onError: toastError,
  });
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-sm">
      Not confirmed yet.
      <Button size="sm" variant="ghost" className="-ml-3" loading={again.isPending} onClick={() => again.mutate()}>
        Send the mail again
      </Button>
    </p>
  );
}

function NameForm({ onDone }: { onDone: () => void }) {
  const { user, refresh } = useAuth();
  return (
    <CredentialsForm
      fields={[
        {
          name: 'username',
          label: 'Display name',
          missing: 'A display name is required.',
          autoComplete: 'nickname',
          value: user?.displayName,
        },
      ]}
      submitLabel="Save"
      workingLabel="Saving..."
      describe={errorText}
      onCancel={onDone}
      onSubmit={async ({ username }) => {
        await call(settingsCalls.updateUser, { body: { name: username.trim() } });
        await refresh();
        onDone();
      }}
    />
  );
}

function EmailForm({ onDone }: { onDone: () => void }) {
  const { refresh } = useAuth();
  const hasPassword = useHasPassword();
  const field: CredentialField = {
    name: 'email',
    label: 'New email',
    missing: 'Email is required.',
    autoComplete: 'email',
  };
  return (
    <CredentialsForm
      fields={hasPassword ? [field, OWN_PASSWORD] : [field]}
      submitLabel="Change email"
      workingLabel="Changing..."
      onCancel={onDone}
      onSubmit={async ({ email, password }) => {
        const body = { newEmail: email.trim(), ...(hasPassword ? { currentPassword: password } : {}) };
        const { changed } = await asOwner(() => call(settingsCalls.changeEmail, { body }));
        await refresh();
        toast.success(changed ? 'Email changed.' : `A link to confirm it is on its way to ${email.trim()}.`);
        onDone();
      }}
    />
  );
}
