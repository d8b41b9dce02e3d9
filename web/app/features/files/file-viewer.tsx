import { useEffect, useRef } from 'react';
import { ApiError, errorText } from '../../lib/http.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { usePassages } from './files.api.ts';

/** A long file has thousands of passages: those out of sight are laid out when they come near. */
const LATER = '[contain-intrinsic-size:auto_8rem] [content-visibility:auto]';

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
  const cited = useRef<HTMLElement>(null);
  const found = data?.passages.findIndex((p) => p.place === at?.place && isFrom(at.text, p.text)) ?? -1;
  const marked = found >= 0 ? found : (data?.passages.findIndex((p) => p.place === at?.place) ?? -1);
  useEffect(() => {
    if (marked >= 0) cited.current?.scrollIntoView({ block: 'center' });
  }, [marked]);
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
      {isPending && (
        <div role="status" className="flex flex-col gap-3">
          <span className="sr-only">Loading the file</span>
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-20" />
        </div>
      )}
      {error && (
        <Banner tone="danger" role="alert">
          {gone ? 'This file has been deleted.' : errorText(error)}
        </Banner>
      )}
      <div className="flex flex-col gap-3">
        {data?.file.note && <p className="text-muted text-sm">{data.file.note}</p>}
        {data?.passages.map(({ id, place, text }, i) => (
          <section
            key={id}
            ref={i === marked ? cited : undefined}
            aria-current={i === marked || undefined}
            className={classes(LATER, 'flex flex-col gap-1 rounded border p-3', i === marked && 'border-ink bg-sunken')}
          >
            {place !== data.passages[i - 1]?.place && <h3 className="font-semibold text-muted text-xs">{place}</h3>}
            <p dir="auto" className="max-w-[72ch] whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
              {text}
            </p>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Whether a text, or the sentences of it that were given, are from a passage. */
const isFrom = (given: string, passage: string): boolean =>
  given === passage || given.split('…').every((part) => passage.includes(part.trim()));
