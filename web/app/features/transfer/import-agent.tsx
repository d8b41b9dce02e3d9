import type { Agent } from '@atelier/contract/agents';
import type { AgentFile } from '@atelier/contract/agents/agent-file';
import { type ChangeEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { ImportPreview } from './import-preview.tsx';
import { readAgentFile } from './read-agent-file.ts';

/** Picks an agent file, shows what is in it, and stores it once the person has seen that. */
export function ImportAgent({ onImported }: { onImported: (agent: Agent) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<AgentFile>();
  const pick = async (event: ChangeEvent<HTMLInputElement>) => {
    const [picked] = event.target.files ?? [];
    // The same file may be picked once more after it was corrected.
    event.target.value = '';
    if (!picked) return;
    const read = await readAgentFile(picked);
    if ('problem' in read) toast.error(read.problem);
    else setFile(read.file);
  };
  return (
    <>
      <Button onClick={() => input.current?.click()}>Import agent</Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Agent file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => void pick(event)}
      />
      {file && <ImportPreview file={file} onClose={() => setFile(undefined)} onImported={onImported} />}
    </>
  );
}
