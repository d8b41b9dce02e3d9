import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../../ui/list/use-latest.ts';

/** Takes files that are dropped on an area, or anywhere on the page but into a dialog; tells whether some are being dragged over it. */
export function useDroppedFiles(
  onFiles: (files: readonly File[]) => void,
  area?: RefObject<HTMLElement | null>,
): boolean {
  const [over, setOver] = useState(false);
  const latest = useLatest(onFiles);
  useEffect(() => {
    const place: EventTarget = area?.current ?? window;
    const end = new AbortController();
    const on = (name: string, act: (event: DragEvent) => void) =>
      place.addEventListener(name, (event) => act(event as DragEvent), { signal: end.signal });
    const isOurs = ({ dataTransfer, target }: DragEvent) =>
      dataTransfer?.types.includes('Files') === true &&
      (area !== undefined || !(target instanceof Element && target.closest('[role=dialog]')));
    on('dragover', (event) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', ({ relatedTarget }) => {
      // What is left for something inside of it is not left.
      if (relatedTarget === null || (area && !area.current?.contains(relatedTarget as Node))) setOver(false);
    });
    on('drop', (event) => {
      setOver(false);
      if (!isOurs(event)) return;
      event.preventDefault();
      latest.current([...(event.dataTransfer?.files ?? [])]);
    });
    return () => end.abort();
  }, [latest, area]);
  return over;
}
