import { type Agent, SETTING_NAMES, type SettingName } from '@atelier/contract/agents';
import { type AgentFile, agentFile, agentFileProblem } from '@atelier/contract/agents/agent-file';
import { type SubmitEvent, useId, useState } from 'react';
import { AGENT_LABELS, shownSetting } from '../../lib/agent-labels.ts';
import { ApiError, errorText } from '../../lib/http.ts';
import { SeenText } from '../../lib/names/seen-text.tsx';
import { useFilePicker } from '../../lib/uploads/use-file-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useImportAgent } from './transfer.api.ts';

/** Picks an agent file, shows what is in it, and stores it once the person has seen that. */
export function ImportAgent({ onImported }: { onImported: (agent: Agent) => void }) {
  const [file, setFile] = useState<AgentFile>();
  const pick = async (picked: File) => {
    const read = await readAgentFile(picked);
    if ('problem' in read) toast.error(read.problem);
    else setFile(read.file);
  };
  const picker = useFilePicker(
    { 'aria-label': 'Agent file', accept: '.json,application/json' },
    ([picked]) => void pick(picked),
  );
  return (
    <>
      <Button onClick={picker.open}>Import agent</Button>
      {picker.input}
      {file && <ImportPreview file={file} onClose={() => setFile(undefined)} onImported={onImported} />}
    </>
  );
}

interface ImportPreviewProps {
  file: AgentFile;
  onClose: () => void;
  onImported: (agent: Agent) => void;
}

/** What an agent file holds, before it is stored. Everything in it is shown as text and nothing of it acts. */
function ImportPreview({ file, onClose, onImported }: ImportPreviewProps) {
  const form = useId();
  const [name, setName] = useState(file.agent.name);
  const store = useImportAgent();
  const isNameInUse = store.error instanceof ApiError && store.error.status === 409;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (store.isPending) return;
    store.mutate(
      { ...file, agent: { ...file.agent, name } },
      {
        onSuccess: ({ agent, notes }) => {
          onClose();
          toast.success('Agent imported.');
          for (const note of notes) toast.warning(note);
          onImported(agent);
        },
        onError: (error) => {
          if (!(error instanceof ApiError && (error.status === 409 || error.status === 400))) {
            toast.error(errorText(error));
          }
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      unsaved={name !== file.agent.name}
      title="Import agent"
      description="This is what the file contains. The agent will be private and start without memories."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" loading={store.isPending}>
            Save agent
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="flex flex-col gap-5">
        <TextField
          label="Name"
          error={
            store.error instanceof ApiError && (isNameInUse || store.error.status === 400) ? store.error.message : null
          }
          value={name}
          onChange={(e) => setName(e.target.value)}
        />
        <Contents agent={file.agent} />
      </form>
    </Dialog>
  );
}

function Contents({ agent }: { agent: AgentFile['agent'] }) {
  const shown = (name: SettingName) =>
    shownSetting(agent[name]) + (name === 'tools' && agent.tools.length > 0 ? ' (off until you turn them on)' : '');
  return (
    <>
      <section aria-label="Prompt" className="flex flex-col gap-1">
        <h3 className="font-semibold text-sm">Prompt</h3>
        <p dir="auto" className="max-h-72 overflow-y-auto whitespace-pre-wrap rounded border bg-sunken px-4 py-3">
          <SeenText text={agent.prompt} />
        </p>
      </section>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
        {SETTING_NAMES.filter((name) => name !== 'name' && name !== 'prompt').map((name) => (
          <div key={name} className="contents">
            <dt className="text-muted">{AGENT_LABELS[name]}</dt>
            <dd className="font-mono">
              <SeenText text={shown(name)} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** A prompt of 20,000 characters and all else, each at its longest, is smaller than this. Bytes. */
const FILE_BYTES = 200 * 1024;

type ReadFile = { file: AgentFile } | { problem: string };

/** What is in a file that a person picked: an agent, or a sentence about what is wrong with it. */
export async function readAgentFile(picked: Pick<File, 'size' | 'text'>): Promise<ReadFile> {
  if (picked.size > FILE_BYTES) return { problem: `An agent file is at most ${FILE_BYTES / 1024} KB.` };
  let input: unknown;
  try {
    input = JSON.parse(await picked.text());
  } catch {
    return { problem: 'This is not an agent file: it is not JSON.' };
  }
  const problem = agentFileProblem(input);
  return problem === null ? { file: agentFile.parse(input) } : { problem };
}
