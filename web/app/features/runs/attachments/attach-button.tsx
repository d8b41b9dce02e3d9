import { SENTENCES } from '@atelier/contract/errors';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Paperclip } from '../../../ui/icons/lucide.ts';
import { Popover } from '../../../ui/overlay/popover.tsx';
import { part } from '../../../ui/part.tsx';
import type { Attachments } from './use-attachments.ts';

const FileInput = part(() => import('../../../lib/uploads/file-input.tsx'));

/** Picks files for the next message; for a free account it says what Pro is needed for. */
export function AttachButton({ attachments: { isPro, add } }: { attachments: Attachments }) {
  const button = <IconButton label="Attach pictures or files" Icon={Paperclip} />;
  if (isPro) {
    return (
      <Suspense fallback={button}>
        <FileInput label="Files to attach" button={button} anyPicture onFiles={add} />
      </Suspense>
    );
  }
  return (
    <Popover label="About attachments" trigger={button}>
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
