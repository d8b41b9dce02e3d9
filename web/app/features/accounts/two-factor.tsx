import { useState } from 'react';
import { z } from 'zod';
import { useAuth } from '../../lib/auth.tsx';
import { request } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { recoveryRefusal } from './auth-errors.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Setting } from './section.tsx';

const setUp = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) });
const newCodes = z.object({ backupCodes: z.array(z.string()) });

type Open = 'on' | 'off' | 'codes' | null;

const TITLES = {
  on: 'Turn on two-factor authentication',
  off: 'Turn off two-factor authentication?',
  codes: 'New recovery codes',
};

/** The second factor: a code from an app, and recovery codes for a lost phone. */
export function TwoFactor() {
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

interface AskPasswordProps {
  label: string;
  onCancel: () => void;
  onPassword: (password: string) => Promise<void>;
}

function AskPassword({ label, onCancel, onPassword }: AskPasswordProps) {
  const missing = 'Password is required.';
  return (
    <CredentialsForm
      fields={[{ name: 'password', label: 'Your password', missing, autoComplete: 'current-password' }]}
      submitLabel={label}
      workingLabel="Checking..."
      describe={recoveryRefusal}
      onCancel={onCancel}
      onSubmit={({ password }) => onPassword(password)}
    />
  );
}

function TurnOn({ onDone }: { onDone: () => void }) {
  const { refresh } = useAuth();
  const [begun, setBegun] = useState<z.infer<typeof setUp> | null>(null);
  const [isOn, setOn] = useState(false);
  if (begun === null) {
    const begin = async (password: string) =>
      setBegun(await request(setUp, 'POST', '/api/auth/two-factor/enable', { password }));
    return <AskPassword label="Continue" onCancel={onDone} onPassword={begin} />;
  }
  if (isOn) return <RecoveryCodes codes={begun.backupCodes} onDone={onDone} />;
  const secret = new URL(begun.totpURI).searchParams.get('secret') ?? '';
  return (
    <div className="flex flex-col gap-4">
      <p>Scan this with an authenticator app, then enter the six digits that it shows.</p>
      <QrCode text={begun.totpURI} label="QR code for your authenticator app" />
      <p className="text-muted text-sm">
        No camera? Enter this key in the app:
        <code className="mt-1 block break-all font-mono text-ink">{secret}</code>
      </p>
      <CredentialsForm
        fields={[{ name: 'code', label: 'Code', missing: 'The code is required.', autoComplete: 'one-time-code' }]}
        submitLabel="Turn on"
        workingLabel="Checking..."
        describe={recoveryRefusal}
        onCancel={onDone}
        onSubmit={async ({ code }) => {
          await request(z.unknown(), 'POST', '/api/auth/two-factor/verify-totp', { code });
          setOn(true);
          await refresh().catch(() => {});
        }}
      />
    </div>
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const { refresh } = useAuth();
  const turnOff = async (password: string) => {
    await request(z.unknown(), 'POST', '/api/auth/two-factor/disable', { password });
    await refresh();
    toast.success('Two-factor authentication is off.');
    onDone();
  };
  return <AskPassword label="Turn off" onCancel={onDone} onPassword={turnOff} />;
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
  const make = async (password: string) => {
    const answer = await request(newCodes, 'POST', '/api/auth/two-factor/generate-backup-codes', { password });
    setCodes(answer.backupCodes);
  };
  return (
    <div className="flex flex-col gap-4">
      <p>The codes that you have now stop working.</p>
      <AskPassword label="Make new codes" onCancel={onDone} onPassword={make} />
    </div>
  );
}
