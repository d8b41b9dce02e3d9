import type { FieldValue, ServerField } from '@atelier/contract/mcp/server-fields';
import { useEffect, useState } from 'react';

const PAUSE_MS = 150;
/** What takes longer is left to the server. */
const DEADLINE_MS = 500;

/** Why a text doesn't fit its field's pattern, tried when typing pauses; null while nothing is known against it. */
export function useMismatch({ label, pattern }: ServerField, value: FieldValue | undefined): string | null {
  const text = typeof value === 'string' ? value : undefined;
  const [misfit, setMisfit] = useState<string>();
  useEffect(() => {
    if (pattern === undefined || text === undefined) return;
    let worker: Worker | undefined;
    let deadline: ReturnType<typeof setTimeout> | undefined;
    const pause = setTimeout(() => {
      worker = new Worker(new URL('./pattern.worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data: fits }) => {
        setMisfit(fits === true ? undefined : text);
        worker?.terminate();
      };
      worker.postMessage({ pattern, text });
      deadline = setTimeout(() => worker?.terminate(), DEADLINE_MS);
    }, PAUSE_MS);
    return () => {
      clearTimeout(pause);
      clearTimeout(deadline);
      worker?.terminate();
    };
  }, [pattern, text]);
  return text === undefined || text !== misfit ? null : mismatchOf(label, pattern);
}

const mismatchOf = (label: string, pattern = '') =>
  `“${label}” doesn’t have the form that the server wants: ${pattern}`;
