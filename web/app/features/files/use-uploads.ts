import { fileAnswer, fileCalls, refusal } from '@atelier/contract/files';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { addressOf, errorText } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';
import { sendFile } from '../../lib/send-file.ts';

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
  const queryClient = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const stops = useRef(new Map<string, AbortController>());
  const last = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => {
    const open = stops.current;
    return () => {
      for (const stop of open.values()) stop.abort();
    };
  }, []);
  const change = (id: string, part: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  const dismiss = (id: string) => {
    stops.current.get(id)?.abort();
    setUploads((all) => all.filter((upload) => upload.id !== id));
  };

  async function send(id: string, file: File) {
    const stop = stops.current.get(id);
    if (stop === undefined || stop.signal.aborted) return;
    try {
      const address = addressOf(fileCalls.add, { params: { agentId } });
      await sendFile(fileAnswer, address, file, (share) => change(id, { share }), stop.signal);
      await queryClient.invalidateQueries({ queryKey: keys.files(agentId) });
      dismiss(id);
    } catch (error) {
      if (!stop.signal.aborted) change(id, { error: errorText(error) });
    } finally {
      stops.current.delete(id);
    }
  }

  const add = (files: readonly File[]) => {
    for (const file of files) {
      const id = crypto.randomUUID();
      const error = refusal(file);
      setUploads((all) => [...all, { id, name: file.name, size: file.size, share: 0, error }]);
      if (error !== undefined) continue;
      stops.current.set(id, new AbortController());
      last.current = last.current.then(() => send(id, file));
    }
  };
  return { uploads, add, dismiss };
}
