import type { AgentFileEntry } from '@atelier/contract/files';
import { useEffect, useRef, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { toastError } from '../../lib/toast-error.ts';
import FileInput from '../../lib/uploads/file-input.tsx';
import { useDroppedFiles } from '../../lib/uploads/use-dropped-files.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Upload as UploadIcon } from '../../ui/icons/lucide.ts';
import { TOAST_MS } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeletedRow, FileRow, UploadRow } from './file-row.tsx';
import { useDeleteFile, useFiles, useRestoreFile } from './files.api.ts';
import { useUploads } from './use-uploads.ts';

/** An agent's files: drop or pick, list, download, delete. */
export function AgentFiles({ agentId }: { agentId: string }) {
  const files = useFiles(agentId);
  const { uploads, add, dismiss } = useUploads(agentId);
  const { deleted, remove, undo } = useDeletions(agentId);
  // Leaving cancels current uploads.
  useUnsavedArea(uploads.some((upload) => upload.error === undefined));
  const empty = files.data?.length === 0 && uploads.length === 0;
  return (
    <section aria-label="Files" className="flex min-w-0 flex-col gap-2">
      <h3 className="font-semibold text-sm">Files</h3>
      <DropArea onFiles={add} />
      {files.isPending && <Skeleton className="h-14" />}
      <LoadFailure of={files} />
      {empty && (
        <p className="text-muted text-sm">No files yet. The agent can read the files you add, and cites them.</p>
      )}
      <ul className="flex flex-col divide-y">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onDismiss={() => dismiss(upload.id)} />
        ))}
        {files.data?.map((file) => (
          <FileRow key={file.id} file={file} agentId={agentId} onDelete={() => remove(file)} />
        ))}
        {deleted.map((file) => (
          <DeletedRow key={file.id} file={file} onUndo={() => undo(file)} />
        ))}
      </ul>
    </section>
  );
}

function DropArea({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const area = useRef<HTMLDivElement>(null);
  const over = useDroppedFiles(onFiles, area);
  return (
    <div
      ref={area}
      className={classes(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded border border-dashed p-3',
        over ? 'border-ink bg-sunken' : 'border-edge',
      )}
    >
      <FileInput
        label="Add files"
        onFiles={onFiles}
        button={
          <Button size="sm">
            <UploadIcon className="size-4" />
            Choose files
          </Button>
        }
      />
      <p className="min-w-0 flex-1 basis-48 text-muted text-sm">
        or drop them here. PDF, Word, Excel, PowerPoint, OpenDocument, e-mail, scans and any text, up to 10 MB each.
      </p>
    </div>
  );
}

/** Deletes files and remembers each while it can be restored. The offer is in the list, because a dialog hides toasts. */
function useDeletions(agentId: string) {
  const [deleted, setDeleted] = useState<AgentFileEntry[]>([]);
  const timers = useRef(new Set<number>());
  const remove = useDeleteFile(agentId);
  const restore = useRestoreFile(agentId);
  useEffect(() => {
    const open = timers.current;
    return () => {
      for (const timer of open) clearTimeout(timer);
    };
  }, []);
  const forget = (file: AgentFileEntry) => setDeleted((all) => all.filter((other) => other.id !== file.id));

  async function removeFile(file: AgentFileEntry) {
    setDeleted((all) => [...all, file]);
    try {
      await remove.mutateAsync(file.id);
      timers.current.add(window.setTimeout(() => forget(file), TOAST_MS));
    } catch (error) {
      forget(file);
      toastError(error);
    }
  }

  async function undo(file: AgentFileEntry) {
    forget(file);
    await restore.mutateAsync(file.id).catch(toastError);
  }
  return {
    deleted,
    remove: (file: AgentFileEntry) => void removeFile(file),
    undo: (file: AgentFileEntry) => void undo(file),
  };
}
