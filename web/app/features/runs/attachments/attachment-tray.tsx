import type { RefObject } from 'react';
import { useAuth } from '../../../lib/auth.tsx';
import { ErrorLine } from '../../../ui/banner.tsx';
import { classes } from '../../../ui/classes.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { CircleAlert, FileText, Image, X } from '../../../ui/icons/lucide.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import type { Pending } from './pending.ts';
import type { Attachments } from './use-attachments.ts';

export interface AttachmentTrayProps {
  /** Whether there is anything to show. */
  open: boolean;
  attachments: Attachments;
  /** The agent's model. */
  model: string | undefined;
  /** Gets the focus when something is removed. */
  field: RefObject<HTMLTextAreaElement | null>;
}

/** Above the message field: what goes with the message, and what to know before sending it. Nothing without attachments. */
export default function AttachmentTray({ attachments, model, field }: AttachmentTrayProps) {
  const { items, notice, over, remove } = attachments;
  const blind = useBlindNotice(items, model);
  const drop = (one: Pending) => {
    remove(one);
    field.current?.focus();
  };
  return (
    <>
      {over && (
        // Above previews, which would keep the file to themselves, and below dialogs.
        <p className="fixed inset-3 z-40 flex items-center justify-center rounded-lg border-2 border-ink border-dashed bg-paper/85 font-semibold text-lg">
          Drop files to attach them
        </p>
      )}
      {notice && <ErrorLine className="text-sm">{notice}</ErrorLine>}
      {blind && (
        <p role="status" className="text-muted text-sm">
          {blind}
        </p>
      )}
      {items.length > 0 && (
        <ul aria-label="Attachments" className="flex max-h-[40dvh] flex-wrap items-start gap-2 overflow-y-auto">
          {items.map((one) => (
            <Chip key={one.id} item={one} onRemove={() => drop(one)} />
          ))}
        </ul>
      )}
    </>
  );
}

function Chip({ item, onRemove }: { item: Pending; onRemove: () => void }) {
  const { name, stored, share, error } = item;
  return (
    <li
      className={classes(
        'flex min-w-0 items-center gap-2 rounded border bg-raised py-1 pl-1 text-sm',
        // Two beside each other on a phone.
        error === undefined ? 'max-w-[calc(50%-0.25rem)] sm:max-w-72' : 'max-w-full border-danger',
      )}
    >
      <Thumbnail item={item} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="truncate font-semibold" title={name}>
          {name}
        </span>
        {error !== undefined && (
          <span role="alert" className="text-danger">
            {error}
          </span>
        )}
        {error === undefined && stored === undefined && <ProgressBar label={`Attaching ${name}`} share={share} />}
        {stored?.note && <span className="text-muted">{stored.note}</span>}
      </div>
      <IconButton label={`Remove ${name}`} size="sm" onClick={onRemove} Icon={X} />
    </li>
  );
}

const boxClass = 'flex size-10 shrink-0 items-center justify-center rounded bg-sunken text-muted';

function Thumbnail({ item: { kind, stored, error } }: { item: Pending }) {
  if (kind === 'picture' && stored) {
    return <img src={stored.url} alt="" className="size-10 shrink-0 rounded bg-sunken object-cover" />;
  }
  const Icon = error !== undefined ? CircleAlert : kind === 'picture' ? Image : FileText;
  return (
    <span className={boxClass}>
      <Icon className="size-5" />
    </span>
  );
}

/** The sentence about pictures for a model that can’t see; undefined where there is nothing to say. */
function useBlindNotice(items: readonly Pending[], model: string | undefined): string | undefined {
  const { me } = useAuth();
  if (!me || model === undefined || !items.some(({ kind }) => kind === 'picture')) return undefined;
  if (me.modelProvider.kind === 'offline')
    return 'The built-in offline model can’t see pictures. It only gets their names.';
  const named = (id: string | null) => me.models.find((one) => one.id === id);
  const answers = named(model) ?? named(me.standIn ?? null);
  if (answers === undefined || answers.sight) return undefined;
  return `${answers.label} can’t see pictures: it only gets their names. Choose a model that sees in “Edit Agent”.`;
}
