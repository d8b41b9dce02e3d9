import { IMPORT_LIMITS, IMPORT_SENTENCES } from '@atelier/contract/transfer/imports';
import { useEffect, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { useFilePicker } from '../../lib/uploads/use-file-picker.tsx';
import { ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useFocusOnChange } from '../../ui/focus/use-focus.ts';
import { Upload } from '../../ui/icons/lucide.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ImportReport } from './import-report.tsx';
import { TITLES } from './import-text.ts';
import type { ChoosableAgent } from './past-preview.tsx';
import { sendArchive, useLatestImport } from './transfer.api.ts';

/** Brings an account over from another installation, or conversations from another program: choose the file, look, import, read the report. */
export function ImportAccount({ agents }: { agents: ChoosableAgent[] }) {
  const latest = useLatestImport();
  const current = latest.data;
  // Who has done something here keeps the focus here; the page as it opens takes it from nobody.
  const [touched, setTouched] = useState(false);
  return (
    <section
      aria-labelledby="import"
      className="rounded-lg border bg-raised p-6"
      onFocusCapture={() => setTouched(true)}
    >
      <h2 id="import" className="font-semibold text-xl">
        Bring an account here
      </h2>
      <p className="mt-2 text-muted">
        Import an archive that another installation exported: agents, sessions, memories, facts and files. Nothing of
        yours is overwritten, and importing twice doesn’t double anything. Plan, payments, favorites and tool servers
        don’t move. Agents arrive private, with their tools off.
      </p>
      <p className="mt-2 text-muted">
        Or bring your past along: choose what an export of ChatGPT, Claude, LibreChat or Open WebUI gave you, a zip or a
        JSON file. Its conversations become sessions, branches too. You see what is in it before anything is imported,
        and can undo all of it afterwards.
      </p>
      <p role="status" className="sr-only">
        {current ? TITLES[current.state] : ''}
      </p>
      <div className="mt-4">
        <LoadFailure of={latest} />
        {current === null && <ChooseArchive takesFocus={touched} />}
        {current && <ImportReport key={current.id} current={current} agents={agents} takesFocus={touched} />}
      </div>
    </section>
  );
}

function ChooseArchive({ takesFocus }: { takesFocus: boolean }) {
  const button = useFocusOnChange<HTMLButtonElement>('choose', takesFocus);
  const [sending, setSending] = useState<{ name: string; share: number; stop: AbortController }>();
  const [problem, setProblem] = useState<string>();
  const stop = sending?.stop;
  useEffect(() => () => stop?.abort(), [stop]);

  const pick = async (file: File) => {
    if (file.size > IMPORT_LIMITS.archive) return setProblem(IMPORT_SENTENCES.tooLarge);
    setProblem(undefined);
    const begun = { name: file.name, share: 0, stop: new AbortController() };
    setSending(begun);
    try {
      await sendArchive(file, (share) => setSending({ ...begun, share }), begun.stop.signal);
    } catch (error) {
      if (!begun.stop.signal.aborted) setProblem(errorText(error));
      setSending(undefined);
    }
  };
  const picker = useFilePicker(
    { 'aria-label': 'Account archive', accept: '.zip,application/zip,.json,application/json' },
    ([file]) => void pick(file),
  );

  return (
    <div className="flex flex-col gap-4">
      {problem !== undefined && <ErrorBanner>{problem}</ErrorBanner>}
      {sending && (
        <div className="flex flex-col gap-2">
          <p role="status">{sending.share < 1 ? `Sending ${sending.name}…` : `Reading ${sending.name}…`}</p>
          <ProgressBar label={`Sending ${sending.name}`} share={sending.share} />
        </div>
      )}
      <div>
        <Button ref={button} onClick={() => (sending ? sending.stop.abort() : picker.open())}>
          {!sending && <Upload className="size-4" />}
          {sending ? 'Cancel' : 'Choose archive…'}
        </Button>
      </div>
      {picker.input}
    </div>
  );
}
