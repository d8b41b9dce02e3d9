import type { Agent } from '@atelier/contract/agents';
import type { AgentFile } from '@atelier/contract/agents/agent-file';
import { useState } from 'react';
import { useFilePicker } from '../../lib/uploads/use-file-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { ImportPreview } from './import-preview.tsx';
import { readAgentFile } from './read-agent-file.ts';

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
