import { twoFactorCalls } from '@atelier/contract/accounts/sign-in';
import { settingsCalls } from '@atelier/contract/accounts/ways';
import { useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { call } from '../../lib/http.ts';
import { refreshEach } from '../../lib/live/stale.ts';
import { queryClient } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Section, Setting } from '../../ui/page/section.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { devicesKey } from './devices.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { AskCode } from './two-factor/ask-code.tsx';
import { TurnOn } from './two-factor/turn-on.tsx';
import { usePasswordHint } from './use-password-hint.ts';
import { LinkedAccounts } from './ways-in/linked-accounts.tsx';
import { Passkeys } from './ways-in/passkeys.tsx';
import { useHasPassword } from './ways-in/use-has-password.ts';
import { WayChoice } from './ways-in/way-choice.tsx';
import { postFirstPassword, useSignInProviders, useWays } from './ways-in/ways-in.api.ts';

/** Password, second factor, accounts elsewhere and passkeys. */
export function Security() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const hasPassword = useHasPassword();
  const { passwords } = useSignInProviders();
  return (
    <Section title="Signing in">
      {passwords && (
        <Setting
          label="Password"
          actions={
            <Button onClick={() => setOpen(true)}>{hasPassword ? 'Change password…' : 'Set a password…'}</Button>
          }
        >
          {hasPassword ? 'Choose a long password that you use nowhere else.' : 'Your account has none yet.'}
        </Setting>
      )}
      <TwoFactor />
      <LinkedAccounts />
      <Passkeys />
      <Dialog open={open} onOpenChange={setOpen} title={hasPassword ? 'Change your password' : 'Set a password'}>
        {hasPassword ? <PasswordForm onDone={close} /> : <FirstPassword onDone={close} />}
      </Dialog>
    </Section>
  );
}

/** For an account that was opened with an account elsewhere. */
function FirstPassword({ onDone }: { onDone: () => void }) {
  const hint = usePasswordHint();
  const { refresh } = useAuth();
  const missing = 'A new password is required.';
  return (
    <CredentialsForm
      fields={[{ name: 'newPassword', label: 'New password', missing, autoComplete: 'new-password', hint }]}
      submitLabel="Set password"
      workingLabel="Setting..."
      onCancel={onDone}
      onSubmit={async ({ newPassword }) => {
        await postFirstPassword(newPassword);
        await refresh();
        toast.success('Password set.');
        onDone();
      }}
    />
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const hint = usePasswordHint();
  const { user } = useAuth();
  const ways = useWays().data?.ways ?? [];
  const [revokeOtherSessions, setRevoke] = useState(true);
  const [keptIds, setKeptIds] = useState<ReadonlySet<string>>(new Set());
  const suspended = new Set(ways.map(({ id }) => id).filter((id) => !keptIds.has(id)));
  return (
    <CredentialsForm
      fields={[
        {
          name: 'password',
          label: 'Current password',
          missing: 'Your current password is required.',
          autoComplete: 'current-password',
        },
        {
          name: 'newPassword',
          label: 'New password',
          missing: 'A new password is required.',
          autoComplete: 'new-password',
          hint,
        },
      ]}
      submitLabel="Change password"
      workingLabel="Changing..."
      onCancel={onDone}
      onSubmit={async ({ password, newPassword }) => {
        const body = { currentPassword: password, newPassword, revokeOtherSessions, keep: [...keptIds] };
        await call(settingsCalls.changePassword, { body });
        void queryClient.invalidateQueries({ queryKey: devicesKey });
        refreshEach('account', 'keys', 'tools', 'shares');
        toast.success('Password changed.');
        onDone();
      }}
    >
      <input type="text" name="account" autoComplete="username" defaultValue={user?.email} hidden readOnly />
      <Checkbox
        label="Sign out my other devices"
        checked={revokeOtherSessions}
        onChange={(event) => setRevoke(event.currentTarget.checked)}
      />
      {revokeOtherSessions && ways.length > 0 && (
        <WayChoice
          legend="And suspend these, until you keep them on this page"
          ways={ways}
          ticked={suspended}
          onChange={(ticked) => setKeptIds(new Set(ways.map(({ id }) => id).filter((id) => !ticked.has(id))))}
        />
      )}
    </CredentialsForm>
  );
}

type Open = 'on' | 'off' | 'codes' | null;

const TITLES = {
  on: 'Turn on two-factor authentication',
  off: 'Turn off two-factor authentication?',
  codes: 'New recovery codes',
};

/** The second factor: a code from an app, and recovery codes for a lost phone. */
function TwoFactor() {
  const { me } = useAuth();
  const [open, setOpen] = useState<Open>(null);
  if (me === null) return null;
  const close = () => setOpen(null);
  const isOn = me.security.twoFactor;
  const actions = isOn ? (
    <>
      <Button onClick={() => setOpen('codes')}>New recovery codes…</Button>
      <Button onClick={() => setOpen('off')}>Turn off…</Button>
    </>
  ) : (
    <Button onClick={() => setOpen('on')}>Turn on…</Button>
  );
  return (
    <Setting label="Two-factor authentication" actions={actions}>
      {isOn ? 'On: logging in also asks for a code from your app.' : 'Off: logging in needs only the password.'}
      <Dialog open={open !== null} onOpenChange={close} title={TITLES[open ?? 'on']}>
        {open === 'on' && <TurnOn onDone={close} />}
        {open === 'off' && <TurnOff onDone={close} />}
        {open === 'codes' && <NewCodes onDone={close} />}
      </Dialog>
    </Setting>
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const { refresh } = useAuth();
  const turnOff = async (code: string) => {
    await call(twoFactorCalls.disable, { body: { code } });
    await refresh();
    toast.success('Two-factor authentication is off.');
    onDone();
  };
  return <AskCode label="Turn off" onCancel={onDone} onCode={turnOff} />;
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
  const make = async (code: string) => {
    setCodes((await call(twoFactorCalls.renewCodes, { body: { code } })).backupCodes);
  };
  return (
    <div className="flex flex-col gap-4">
      <p>The codes that you have now stop working.</p>
      <AskCode label="Make new codes" onCancel={onDone} onCode={make} />
    </div>
  );
}
