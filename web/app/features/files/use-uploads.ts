import { fileAnswer, fileCalls, refusal } from '@atelier/contract/files';
import { useEffect, useState } from 'react';
import { addressOf, errorText } from '../../lib/http.ts';
import { keys, queryClient } from '../../lib/query.ts';
import { freshId } from '../../lib/typed/fresh-id.ts';
import { sendFile } from '../../lib/uploads/send-file.ts';
import { startUpload, stopUploads } from '../../lib/uploads/upload-line.ts';
import { useLatest } from '../../ui/list/use-latest.ts';

/** An upload in progress, or why it failed. */
export interface Upload {
  id: string;
  name: string;
  size: number;
  /** 0 to 1. */
  share: number;
  error?: string;
}

/** Uploads files one after another with their progress. Leaving the page or dialog cancels current uploads. */
export function useUploads(agentId: string) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const latest = useLatest(uploads);
  useEffect(() => () => stopUploads(latest.current.map(({ id }) => id)), [latest]);
  const change = (id: string, part: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  const dismiss = (id: string) => {
    stopUploads([id]);
    setUploads((all) => all.filter((upload) => upload.id !== id));
  };

  const send = (id: string, file: File) => async (signal: AbortSignal) => {
    const address = addressOf(fileCalls.add, { params: { agentId } });
    await sendFile(fileAnswer, address, file, (share) => change(id, { share }), signal);
    await queryClient.invalidateQueries({ queryKey: keys.files(agentId) });
    dismiss(id);
  };
  const add = (files: readonly File[]) => {
    for (const file of files) {
      const id = freshId();
      const error = refusal(file);
      setUploads((all) => [...all, { id, name: file.name, size: file.size, share: 0, error }]);
      if (error === undefined)
        startUpload(id, send(id, file), (why) => why !== undefined && change(id, { error: errorText(why) }));
    }
  };
  return { uploads, add, dismiss };
}
