import type { Task } from '@atelier/contract/runs';
import { filePassages } from '@atelier/contract/tools';

export interface Citation {
  fileId: string;
  file: string;
  place: string;
  text: string;
}

/** The file passages that an answer cites: given to it or found by it, and mentioned in its text; each place once. */
export function citationsOf(task: Pick<Task, 'message' | 'memoryUsed' | 'toolCalls'>): Citation[] {
  const known = task.memoryUsed.flatMap(({ kind, fileId = '', fileName = '', place = '', text }) =>
    kind === 'file' ? [{ fileId, file: fileName, place, text }] : [],
  );
  const found = task.toolCalls.flatMap((call) => {
    const parsed = call.name === 'search_files' ? filePassages.safeParse(call.output) : undefined;
    return parsed?.success ? parsed.data.passages : [];
  });
  const words = plain(task.message);
  const cited = new Map<string, Citation>();
  for (const citation of [...known, ...found]) {
    const { fileId, file, place } = citation;
    if (file === '' || !words.includes(plain(file)) || !words.includes(plain(place))) continue;
    const key = `${fileId} ${place}`;
    if (!cited.has(key)) cited.set(key, citation);
  }
  return [...cited.values()];
}

/** Normalised for comparison: without Markdown's backslashes, kinds of quotation marks and dashes, and case. */
const plain = (text: string) =>
  text
    .replaceAll('\\', '')
    .replaceAll(/[“”„"]/g, '"')
    .replaceAll(/[–—]/g, '-')
    .toLowerCase();
