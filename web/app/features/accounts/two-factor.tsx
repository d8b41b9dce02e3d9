import { twoFactorCalls } from '@atelier/contract/accounts/sign-in';
import { useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { call } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Setting } from '../../ui/page/section.tsx';
import { AskCode } from './two-factor/ask-code.tsx';
import { NewCodes } from './two-factor/new-codes.tsx';
import { TurnOn } from './two-factor/turn-on.tsx';

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
