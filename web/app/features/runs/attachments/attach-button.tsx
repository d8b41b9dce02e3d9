import { ATTACHABLE } from '@atelier/contract/attachments/attachable';
import { SENTENCES } from '@atelier/contract/errors';
import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/overlay/popover.tsx';
import type { Attachments } from './use-attachments.ts';

const LABEL = 'Attach pictures or files';

/** Picks files for the next message; for a free account it says what Pro is needed for. */
export function AttachButton({ attachments }: { attachments: Attachments }) {
  const input = useRef<HTMLInputElement>(null);
  const button = { label: LABEL, Icon: Paperclip };
  if (!attachments.isPro) {
    return (
      <Popover label="About attachments" trigger={<IconButton {...button} />}>
        <p className="max-w-prose">{SENTENCES.proFeature}</p>
        <p className="mt-1">
          <Link to="/billing" className="underline underline-offset-2">
            Upgrade to Pro
          </Link>{' '}
          to show pictures and files to your agents.
        </p>
      </Popover>
    );
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={`image/*,${ATTACHABLE}`}
        aria-label="Files to attach"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          attachments.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <IconButton {...button} onClick={() => input.current?.click()} />
    </>
  );
}
