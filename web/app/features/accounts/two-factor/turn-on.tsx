import { twoFactorCalls } from '@atelier/contract/accounts/sign-in';
import { useState } from 'react';
import { encode } from 'uqr';
import { asOwner } from '../../../lib/auth/as-owner.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { call } from '../../../lib/http.ts';
import { CredentialsForm } from '../credentials-form.tsx';
import { RecoveryCodes } from '../recovery-codes.tsx';

/** Says what is needed, shows the code to scan, and at the end the recovery codes. */
export function TurnOn({ onDone }: { onDone: () => void }) {
  const { refresh } = useAuth();
  const [begun, setBegun] = useState<{ totpURI: string; backupCodes: string[] } | null>(null);
  const [isOn, setOn] = useState(false);
  if (begun === null) {
    const begin = async () => setBegun(await asOwner(() => call(twoFactorCalls.enable, { body: {} })));
    return (
      <div className="flex flex-col gap-4">
        <p>You need an authenticator app on your phone or computer. Logging in then also asks for a code from it.</p>
        <CredentialsForm
          fields={[]}
          submitLabel="Continue"
          workingLabel="Preparing..."
          onCancel={onDone}
          onSubmit={begin}
        />
      </div>
    );
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
        onCancel={onDone}
        onSubmit={async ({ code }) => {
          await call(twoFactorCalls.verifyTotp, { body: { code } });
          setOn(true);
          await refresh().catch(() => {});
        }}
      />
    </div>
  );
}

/** A text as a QR code: always dark on light, because many cameras read no other. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-52 rounded bg-white"
    >
      <path d={squares.join('')} fill="black" />
    </svg>
  );
}
