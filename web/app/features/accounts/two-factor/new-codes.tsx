import { useState } from 'react';
import { z } from 'zod';
import { request } from '../../../lib/http.ts';
import { RecoveryCodes } from '../recovery-codes.tsx';
import { AskCode } from './ask-code.tsx';

const newCodes = z.object({ backupCodes: z.array(z.string()) });

/** Replaces the recovery codes. */
export function NewCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
  const make = async (code: string) => {
    const answer = await request(newCodes, 'POST', '/api/auth/two-factor/generate-backup-codes', { code });
    setCodes(answer.backupCodes);
  };
  return (
    <div className="flex flex-col gap-4">
      <p>The codes that you have now stop working.</p>
      <AskCode label="Make new codes" onCancel={onDone} onCode={make} />
    </div>
  );
}
