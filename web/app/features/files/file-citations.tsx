import type { MemoryItem } from '@atelier/contract/memory';
import type { Task } from '@atelier/contract/runs';
import { filePassages } from '@atelier/contract/tools';
import { Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FileText } from '../../ui/icons/lucide.ts';
import { part } from '../../ui/part.tsx';

const FileViewer = part(async () => ({ default: (await import('./file-viewer.tsx')).FileViewer }));

/** Below an answer that cites files: a button for each place, in lines of their own. Nothing without citations. */
export function FileCitations({ task, agentId }: { task: Task; agentId: string }) {
  const [open, setOpen] = useState<Citation>();
  const citations = citationsOf(task);
  if (citations.length === 0) return null;
  return (
    <>
      <span className="flex basis-full flex-wrap gap-1">
        {citations.map((citation) => (
          <FileLink key={`${citation.fileId} ${citation.place}`} citation={citation} onOpen={() => setOpen(citation)} />
        ))}
      </span>
      <Suspense fallback={null}>
        {open && <FileViewer agentId={agentId} fileId={open.fileId} at={open} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

function FileLink({ citation, onOpen }: { citation: Citation; onOpen: () => void }) {
  const name = `${citation.file}, ${citation.place}`;
  return (
    <button
      type="button"
      onClick={onOpen}
      title={`Open ${name}`}
      className="inline-flex min-h-8 min-w-0 max-w-64 items-center gap-1.5 rounded border px-2.5 text-muted text-sm hover:bg-sunken hover:text-ink touch:min-h-11"
    >
      <FileText className="size-3.5 shrink-0" />
      <span className="truncate">{name}</span>
    </button>
  );
}

/** Opens the place of a file in an answer's memory; nothing for other memories. */
export function OpenFileButton({ item, agentId }: { item: MemoryItem; agentId: string }) {
  const [open, setOpen] = useState(false);
  const { kind, fileId, place = '', text } = item;
  if (kind !== 'file' || fileId === undefined) return null;
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
        Open file
      </Button>
      <Suspense fallback={null}>
        {open && <FileViewer agentId={agentId} fileId={fileId} at={{ place, text }} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}

interface Citation {
  fileId: string;
  file: string;
  place: string;
  text: string;
}

/** The file passages that an answer cites: given to it or found by it, and mentioned in its text; each place once. */
export function citationsOf(task: Pick<Task, 'message' | 'memoryUsed' | 'toolCalls'>): Citation[] {
  const recalled = task.memoryUsed.flatMap(({ kind, fileId = '', fileName = '', place = '', text }) =>
    kind === 'file' ? [{ fileId, file: fileName, place, text }] : [],
  );
  const citations = task.toolCalls.flatMap((call) => {
    const parsed = call.name === 'search_files' ? filePassages.safeParse(call.output) : undefined;
    return parsed?.success ? parsed.data.passages : [];
  });
  const words = plain(task.message);
  const cited = new Map<string, Citation>();
  for (const citation of [...recalled, ...citations]) {
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
