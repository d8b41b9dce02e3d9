import { useState } from 'react';
import { z } from 'zod';
import { request } from '../../../lib/http.ts';
import { RecoveryCodes } from '../recovery-codes.tsx';
import { AskPassword } from './ask-password.tsx';

const newCodes = z.object({ backupCodes: z.array(z.string()) });

/** Replaces the recovery codes. */
export function NewCodes({ onDone }: { onDone: () => void }) {
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
