import type { passagesAnswer } from '@atelier/contract/files';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError, errorText } from '../../lib/http.ts';
import { ErrorBanner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { usePassages } from './files.api.ts';

/** A long file has thousands of passages: so many are shown around the cited one, and so many more at each press. */
const [BEFORE, AFTER, MORE] = [20, 80, 200];

export interface FileViewerProps {
  agentId: string;
  fileId: string;
  /** Opens at this passage. */
  at?: { place: string; text: string };
  onClose: () => void;
}

/** A file's text as the agent sees it, opened at the cited place. */
export function FileViewer({ agentId, fileId, at, onClose }: FileViewerProps) {
  const { data, error, isPending } = usePassages(agentId, fileId);
  const index = data?.passages.findIndex((p) => p.place === at?.place && isFrom(at.text, p.text)) ?? -1;
  const marked = index >= 0 ? index : (data?.passages.findIndex((p) => p.place === at?.place) ?? -1);
  const gone = error instanceof ApiError && error.status === 404;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={<span className="break-words">{data?.file.name ?? 'File'}</span>}
      description="The text of this file as the agent reads it."
      size="lg"
      footer={
        data && (
          <a href={data.file.url} download={data.file.name} className={buttonClass('secondary', 'sm')}>
            Download
          </a>
        )
      }
    >
      {isPending && <Loading label="Loading the file" className="flex flex-col gap-3" parts={['h-4 w-24', 'h-20']} />}
      {error && <ErrorBanner>{gone ? 'This file has been deleted.' : errorText(error)}</ErrorBanner>}
      {data?.file.note && <p className="mb-3 text-muted text-sm">{data.file.note}</p>}
      {data && <Passages passages={data.passages} marked={marked} />}
    </Dialog>
  );
}

interface PassagesProps {
  passages: z.infer<typeof passagesAnswer>['passages'];
  /** The cited one, or -1. */
  marked: number;
}

function Passages({ passages, marked }: PassagesProps) {
  const cited = useRef<HTMLElement>(null);
  const [from, setFrom] = useState(Math.max(0, marked - BEFORE));
  const [to, setTo] = useState(Math.max(0, marked) + AFTER);
  useEffect(() => {
    if (marked >= 0) cited.current?.scrollIntoView({ block: 'center' });
  }, [marked]);
  return (
    <div className="flex flex-col gap-3">
      {from > 0 && (
        <Button size="sm" className="self-center" onClick={() => setFrom(Math.max(0, from - MORE))}>
          Show what comes before
        </Button>
      )}
      {passages.slice(from, to).map(({ id, place, text }, at) => (
        <section
          key={id}
          ref={from + at === marked ? cited : undefined}
          aria-current={from + at === marked || undefined}
          className={classes('flex flex-col gap-1 rounded border p-3', from + at === marked && 'border-ink bg-sunken')}
        >
          {place !== passages[from + at - 1]?.place && <h3 className="font-semibold text-muted text-xs">{place}</h3>}
          <p dir="auto" className="me-auto max-w-[72ch] whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
            {text}
          </p>
        </section>
      ))}
      {to < passages.length && (
        <Button size="sm" className="self-center" onClick={() => setTo(to + MORE)}>
          Show more
        </Button>
      )}
    </div>
  );
}

/** Whether a text, or the sentences of it that were given, are from a passage. */
const isFrom = (quote: string, passage: string): boolean =>
  quote === passage || quote.split('…').every((part) => passage.includes(part.trim()));
