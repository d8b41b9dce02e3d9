import { type AccountImport, IMPORT_KINDS } from '@atelier/contract/transfer/imports';
import { PROGRAM_NAMES } from '@atelier/contract/transfer/past';
import { errorText } from '../../lib/http.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { useFocusOnChange } from '../../ui/focus/use-focus.ts';
import { dayOf } from '../../ui/formats.ts';
import { DangerButton } from '../../ui/overlay/danger-button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { countText, shareDone, TITLES } from './import-text.ts';
import { type ChoosableAgent, PastPreview } from './past-preview.tsx';
import { useDiscardImport, useSteerImport, useUndoImport } from './transfer.api.ts';

interface ImportReportProps {
  current: AccountImport;
  /** Those that sessions can go to. */
  agents: ChoosableAgent[];
  takesFocus: boolean;
}

/** An import: its preview, its progress or its report, with what can be done now. */
export function ImportReport({ current, agents, takesFocus }: ImportReportProps) {
  const { state, program } = current;
  const title = useFocusOnChange<HTMLHeadingElement>(state, takesFocus);
  const isChoice = program !== undefined && state === 'ready';
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 ref={title} tabIndex={-1} className="font-semibold text-lg">
          {TITLES[state]}
        </h3>
        <p className="break-words text-muted">
          <SeenName name={current.fileName} />
          {program === undefined ? exportedWhen(current) : `, an export of ${PROGRAM_NAMES[program]}`}
        </p>
      </div>
      {current.error !== undefined && <Banner tone="warning">{current.error}</Banner>}
      {state === 'running' && <ProgressBar label="Importing" share={shareDone(current)} />}
      {state === 'undone' && <p>Everything that this import brought is deleted.</p>}
      {!isChoice && state !== 'undone' && <Counts current={current} />}
      {current.notes.length > 0 && (
        <ul aria-label="Good to know" className="list-disc space-y-1 break-words pl-5">
          {current.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {isChoice ? <PastPreview current={current} agents={agents} /> : <ImportActions current={current} />}
    </div>
  );
}

function exportedWhen({ madeAt, agentNames, counts }: AccountImport): string {
  const more = counts.find(({ kind }) => kind === 'agents')?.found ?? 0;
  const names = agentNames.join(', ') + (more > agentNames.length ? ', …' : '');
  return `, exported on ${dayOf(madeAt)}${names === '' ? '' : `: ${names}`}`;
}

function Counts({ current: { counts, state, program } }: { current: AccountImport }) {
  // Other programs have no saved prompts, and their exports no files.
  const shown = program === undefined ? counts : counts.filter((count) => count.found > 0);
  return (
    <dl className="max-w-xl divide-y border-y">
      {shown.map((count) => (
        <div key={count.kind} className="flex flex-wrap justify-between gap-x-6 py-2">
          <dt className="text-muted">{IMPORT_KINDS[count.kind]}</dt>
          <dd className="tabular-nums">{countText(count, state)}</dd>
        </div>
      ))}
    </dl>
  );
}

function ImportActions({ current: { id, state, program } }: { current: AccountImport }) {
  const steer = useSteerImport();
  const discard = useDiscardImport();
  const undo = useUndoImport();
  const problem = steer.error ?? discard.error ?? undo.error;
  const canUndo = program !== undefined && ['done', 'stopped', 'failed'].includes(state);
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
        {state === 'done' && <ButtonLink to="/library">Open the library</ButtonLink>}
        {state !== 'running' && (
          <Button loading={discard.isPending} onClick={() => discard.mutate(id)}>
            {state === 'ready' ? 'Cancel' : 'Close the report'}
          </Button>
        )}
        {canUndo && (
          <DangerButton
            size="md"
            loading={undo.isPending}
            title="Undo this import?"
            body="Every session that it brought is deleted, with its messages, memories and facts, and with what you added to it since. An agent that it made goes too, unless you have begun other sessions with it."
            confirmLabel="Undo the import"
            onConfirm={() => undo.mutate(id)}
          >
            Undo the import…
          </DangerButton>
        )}
      </div>
      {canUndo && (
        <p className="text-muted text-sm">
          You can undo the import until you close the report or import something else.
        </p>
      )}
    </>
  );
}
