import { useState } from 'react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PlugZap } from '../../../ui/icons/lucide.ts';
import { later } from '../../../ui/later.tsx';
import { useReadableServers } from './contents.api.ts';

const ContentsDialog = later(() => import('./contents-dialog.tsx'));

interface AttachButtonProps {
  /** The ids of the tools that the agent uses: what it may not use is not offered. */
  tools: readonly string[];
  onInsert: (quotation: string) => void;
  onAttach: (files: readonly File[]) => void;
}

/** Opens the prompts and resources of the tool servers that an agent uses; nothing where none can be read. */
export default function AttachButton({ tools, onInsert, onAttach }: AttachButtonProps) {
  const [open, setOpen] = useState(false);
  const { data } = useReadableServers();
  const servers = (data ?? []).filter(({ key }) => tools.some((id) => id.startsWith(`${key}__`)));
  if (servers.length === 0) return null;
  return (
    <>
      <IconButton
        label="From a tool server…"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="size-11"
        Icon={PlugZap}
      />
      <ContentsDialog open={open} onOpenChange={setOpen} {...{ servers, onInsert, onAttach }} />
    </>
  );
}
