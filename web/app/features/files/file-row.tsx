import type { AgentFileEntry } from '@atelier/contract/files';
import { useEffect, useRef, useState } from 'react';
import { ErrorLine } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useFocusWhereLost } from '../../ui/focus/use-focus.ts';
import { dayOf, sizeText } from '../../ui/formats.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Download, FileText, Trash2, X } from '../../ui/icons/lucide.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { FileViewer } from './file-viewer.tsx';
import type { Upload } from './use-uploads.ts';

const STATES: Record<AgentFileEntry['state'], string> = {
  uploading: 'Storing…',
  reading: 'Reading…',
  ready: 'Ready',
  failed: 'Not readable',
};

const rowClass = 'flex min-w-0 items-center gap-2 py-2 text-sm';

/** A file with its type, size, date, state and actions. */
export function FileRow({ file, agentId, onDelete }: { file: AgentFileEntry; agentId: string; onDelete: () => void }) {
  const [open, setOpen] = useState(false);
  const remove = useFocusWhereLost<HTMLButtonElement>();
  const busy = file.state === 'reading' || file.state === 'uploading';
  const ending = file.name.includes('.') ? file.name.split('.').at(-1)?.toUpperCase() : file.type;
  return (
    <li className={rowClass}>
      {busy ? <Spinner className="size-4" /> : <FileText className="size-4 shrink-0 text-muted" />}
      <div className="min-w-0 flex-1">
        <button
          type="button"
          disabled={file.state !== 'ready'}
          onClick={() => setOpen(true)}
          title={file.state === 'ready' ? `Read ${file.name}` : file.name}
          className="block max-w-full truncate text-left font-semibold enabled:hover:underline"
        >
          {file.name}
        </button>
        <p className="flex flex-wrap gap-x-2 text-muted">
          <span>{ending}</span>
          <span>{sizeText(file.size)}</span>
          <time dateTime={file.uploadedAt}>{dayOf(file.uploadedAt)}</time>
          <span className={classes(file.state === 'failed' && 'text-danger')}>{STATES[file.state]}</span>
          {file.progress && <span>{file.progress}</span>}
        </p>
        {file.error && <p className="text-danger">{file.error}</p>}
        {file.note && <p className="text-muted">{file.note}</p>}
      </div>
      <a
        href={file.url}
        download={file.name}
        aria-label={`Download ${file.name}`}
        title="Download"
        className="inline-flex size-8 shrink-0 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink touch:size-11"
      >
        <Download className="size-4" />
      </a>
      <IconButton ref={remove} label={`Delete ${file.name}`} size="sm" onClick={onDelete} Icon={Trash2} />
      {open && <FileViewer agentId={agentId} fileId={file.id} onClose={() => setOpen(false)} />}
    </li>
  );
}

/** Takes the place of a deleted file while it can be restored. */
export function DeletedRow({ file, onUndo }: { file: AgentFileEntry; onUndo: () => void }) {
  const undo = useRef<HTMLButtonElement>(null);
  // Focus it: the pressed button is about to disappear.
  useEffect(() => undo.current?.focus(), []);
  return (
    <li role="status" className={rowClass}>
      <p className="min-w-0 flex-1 text-muted [overflow-wrap:anywhere]">“{file.name}” deleted.</p>
      <Button ref={undo} size="sm" onClick={onUndo}>
        Undo
      </Button>
    </li>
  );
}

/** An upload in progress. */
export function UploadRow({ upload, onDismiss }: { upload: Upload; onDismiss: () => void }) {
  return (
    <li className={rowClass}>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="truncate">
          <span className="font-semibold">{upload.name}</span>{' '}
          <span className="text-muted">{sizeText(upload.size)}</span>
        </p>
        {upload.error ? (
          <ErrorLine>{upload.error}</ErrorLine>
        ) : (
          <ProgressBar label={`Uploading ${upload.name}`} share={upload.share} />
        )}
      </div>
      <IconButton
        label={upload.error ? `Dismiss ${upload.name}` : `Stop uploading ${upload.name}`}
        size="sm"
        onClick={onDismiss}
        Icon={X}
      />
    </li>
  );
}
