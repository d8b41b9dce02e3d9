import type { AgentFileEntry } from '@atelier/contract/files';
import { useEffect, useRef, useState } from 'react';
import { toastError } from '../../lib/toast-error.ts';
import { TOAST_MS } from '../../ui/overlay/toast.tsx';
import { useDeleteFile, useRestoreFile } from './files.api.ts';

/** Deletes files and remembers each while it can be restored. The offer is in the list, because a dialog hides toasts. */
export function useDeletions(agentId: string) {
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
