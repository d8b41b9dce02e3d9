import type { Share } from '@atelier/contract/shares';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { shareAddress } from './shares.api.ts';

/** The new link, ready to be copied. */
export function MadeLink({ share, onMore }: { share: Share; onMore: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const address = shareAddress(share);
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex w-full items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField label="Your link" ref={field} readOnly value={address} className="font-mono text-sm" />
        </div>
        <CopyButton text={address} label="Copy the new link" />
      </div>
      <Button size="sm" variant="ghost" className="-ml-3" onClick={onMore}>
        Create another
      </Button>
    </div>
  );
}
