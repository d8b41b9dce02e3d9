import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';

/** Shows recovery codes, this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => setCopied(await copyText(codes.join('\n')));
  useUnsavedArea(true);
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        Keep these recovery codes in a safe place. Each lets you log in once without your phone. They are shown only
        now.
      </p>
      <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-2 rounded bg-sunken p-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void copy()}>{copied ? 'Copied' : 'Copy'}</Button>
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}
