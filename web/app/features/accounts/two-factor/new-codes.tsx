import { twoFactorCalls } from '@atelier/contract/accounts/sign-in';
import { useState } from 'react';
import { call } from '../../../lib/http.ts';
import { RecoveryCodes } from '../recovery-codes.tsx';
import { AskCode } from './ask-code.tsx';

/** Replaces the recovery codes. */
export function NewCodes({ onDone }: { onDone: () => void }) {
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
