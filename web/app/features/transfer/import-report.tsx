import type { AccountImport } from '@atelier/contract/transfer/imports';
import { Link } from 'react-router';
import { errorText } from '../../lib/http.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useFocusOnChange } from '../../ui/focus/use-focus-on-change.ts';
import { dayOf } from '../../ui/formats.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { countText, KIND_LABELS, shareDone, TITLES } from './import-text.ts';
import { useDiscardImport, useSteerImport } from './imports.api.ts';

/** An import: its preview, its progress or its report, with what can be done now. */
export function ImportReport({ found, takesFocus }: { found: AccountImport; takesFocus: boolean }) {
  const { state } = found;
  const title = useFocusOnChange<HTMLHeadingElement>(state, takesFocus);
  const more = found.counts.find(({ kind }) => kind === 'agents')?.found ?? 0;
  const names = found.agentNames.join(', ') + (more > found.agentNames.length ? ', …' : '');
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 ref={title} tabIndex={-1} className="font-semibold text-lg">
          {TITLES[state]}
        </h3>
        <p className="break-words text-muted">
          <SeenName name={found.fileName} />, exported on {dayOf(found.madeAt)}
          {names === '' ? '' : `: ${names}`}
        </p>
      </div>
      {found.error !== undefined && <Banner tone="warning">{found.error}</Banner>}
      {state === 'running' && <ProgressBar label="Importing" share={shareDone(found)} />}
      <dl className="max-w-xl divide-y border-y">
        {found.counts.map((count) => (
          <div key={count.kind} className="flex flex-wrap justify-between gap-x-6 py-2">
            <dt className="text-muted">{KIND_LABELS[count.kind]}</dt>
            <dd className="tabular-nums">{countText(count, state)}</dd>
          </div>
        ))}
      </dl>
      {found.notes.length > 0 && (
        <ul aria-label="Good to know" className="list-disc space-y-1 break-words pl-5">
          {found.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <ImportActions found={found} />
    </div>
  );
}

function ImportActions({ found: { id, state } }: { found: AccountImport }) {
  const steer = useSteerImport();
  const discard = useDiscardImport();
  const problem = steer.error ?? discard.error;
  const start = () => steer.mutate({ id, to: 'start' });
  return (
    <>
      {problem !== null && <ErrorBanner>{errorText(problem)}</ErrorBanner>}
      <div className="flex flex-wrap gap-2">
        {state === 'ready' && (
          <Button variant="primary" loading={steer.isPending} onClick={start}>
            Import
          </Button>
        )}
        {(state === 'stopped' || state === 'failed') && (
          <Button variant="primary" loading={steer.isPending} onClick={start}>
            Go on
          </Button>
        )}
        {state === 'running' && (
          <Button loading={steer.isPending} onClick={() => steer.mutate({ id, to: 'stop' })}>
            Stop
          </Button>
        )}
        {state === 'done' && (
          <Link to="/library" className={buttonClass('secondary')}>
            Open the library
          </Link>
        )}
        {state !== 'running' && (
          <Button loading={discard.isPending} onClick={() => discard.mutate(id)}>
            {state === 'ready' ? 'Cancel' : 'Close the report'}
          </Button>
        )}
      </div>
    </>
  );
}
