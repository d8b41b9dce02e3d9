import { SENTENCES } from '@atelier/contract/errors';
import { type ClipboardEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { useAuth } from '../../../lib/auth.tsx';
import { useDroppedFiles } from '../../../lib/uploads/use-dropped-files.ts';
import { whenIdle } from '../../../ui/when-idle.ts';
import { type Pending, pending } from './pending.ts';

// Most messages are written without attachments.
const loadUploads = () => import('./uploads.ts');

/** Adds files to a session's composer and uploads them. Returns why some were left out, if so. */
export const attachFiles = (sessionId: string, files: readonly File[]): Promise<string | undefined> =>
  loadUploads().then(
    (uploads) => uploads.attachFiles(sessionId, files),
    () => SENTENCES.offline,
  );

export type Attachments = ReturnType<typeof useAttachments>;

const NONE: readonly Pending[] = [];

/** What waits in a session's composer to go with the next message, and how more gets there. */
export function useAttachments(sessionId: string, attach = (files: readonly File[]) => attachFiles(sessionId, files)) {
  const { me } = useAuth();
  const items = useSyncExternalStore(
    pending.subscribe,
    () => pending.read(sessionId),
    () => NONE,
  );
  const [notice, setNotice] = useState<string>();
  const isPro = me?.account.subscriptionStatus === 'pro';
  const resumes = items.some(({ stored, error }) => stored === undefined && error === undefined);
  useEffect(() => {
    const load = () =>
      void loadUploads().then(
        (uploads) => uploads.resumeUploads(sessionId),
        () => undefined,
      );
    if (resumes) load();
    return isPro ? whenIdle(load) : undefined;
  }, [sessionId, isPro, resumes]);
  const add = (files: readonly File[]) => {
    if (files.length === 0) return;
    if (isPro) void attach(files).then(setNotice);
    else setNotice(SENTENCES.proFeature);
  };
  const over = useDroppedFiles(add);
  return {
    items,
    /** Why something was not added. */
    notice,
    isPro,
    /** Files are being dragged over the page. */
    over,
    /** There is anything to show of all this. */
    shown: items.length > 0 || notice !== undefined || over,
    add,
    remove: (one: Pending) => {
      setNotice(undefined);
      pending.remove(sessionId, one.id);
      void loadUploads().then(
        (uploads) => uploads.discard(one),
        () => undefined,
      );
    },
    onPaste: (event: ClipboardEvent) => {
      // Office programs copy a picture beside the text that is meant.
      const { files, types } = event.clipboardData;
      if (files.length === 0 || types.includes('text/plain')) return;
      event.preventDefault();
      add([...files]);
    },
    /** Why a message can’t be sent yet. */
    waiting: whyWaiting(items),
  };
}

function whyWaiting(items: readonly Pending[]): string | undefined {
  if (items.some(({ error }) => error !== undefined)) return 'Remove what could not be attached, then send.';
  return items.some(({ stored }) => stored === undefined) ? 'Attaching…' : undefined;
}
