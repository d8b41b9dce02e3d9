import { SENTENCES } from '@atelier/contract/errors';
import { type ClipboardEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { useAuth } from '../../../lib/auth.tsx';
import { useLatest } from '../../../ui/list/use-latest.ts';
import type { Pending } from './pending.ts';
import { pending } from './pending-store.ts';
import { attachFiles, detach, resumeUploads } from './uploads.ts';

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
  useEffect(() => resumeUploads(sessionId), [sessionId]);
  const isPro = me?.account.subscriptionStatus === 'pro';
  const add = (files: readonly File[]) => {
    if (files.length === 0) return;
    setNotice(isPro ? attach(files) : SENTENCES.proFeature);
  };
  const over = useDropped(add);
  return {
    items,
    /** Why something was not added. */
    notice,
    isPro,
    /** Files are being dragged over the page. */
    over,
    add,
    remove: (one: Pending) => {
      setNotice(undefined);
      detach(sessionId, one);
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

/** Takes files that are dropped anywhere on the page but into a dialog; tells whether some are being dragged over it. */
function useDropped(add: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useLatest(add);
  useEffect(() => {
    const isOurs = (event: DragEvent) =>
      event.dataTransfer?.types.includes('Files') === true &&
      !(event.target instanceof Element && event.target.closest('[role=dialog]'));
    const onDrag = (event: DragEvent) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!isOurs(event)) return;
      event.preventDefault();
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener('dragover', onDrag);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDrag);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [latest]);
  return over;
}

/** The sentence about pictures for a model that can’t see; undefined where there is nothing to say. */
export function useBlindNotice(items: readonly Pending[], model: string | undefined): string | undefined {
  const { me } = useAuth();
  if (!me || model === undefined || !items.some(({ kind }) => kind === 'picture')) return undefined;
  if (me.modelProvider.kind === 'offline')
    return 'The built-in offline model can’t see pictures. It only gets their names.';
  const named = (id: string | null) => me.models.find((one) => one.id === id);
  const answers = named(model) ?? named(me.standIn ?? null);
  if (answers === undefined || answers.sight) return undefined;
  return `${answers.label} can’t see pictures: it only gets their names. Choose a model that sees in “Edit Agent”.`;
}
