import type { PublicAgent } from '@atelier/contract/explore';
import { useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Ellipsis, Flag } from '../../ui/icons/lucide.ts';
import { later } from '../../ui/later.tsx';
import { Menu } from '../../ui/overlay/menu.tsx';

const ReportDialog = later(() => import('./report-dialog.tsx'));

const useIsOwn = ({ creatorId }: PublicAgent) => useAuth().user?.uid === creatorId;

/** What else can be done with somebody else’s public agent in the grid: report it. */
export function PublicAgentMenu({ agent }: { agent: PublicAgent }) {
  const [open, setOpen] = useState(false);
  const items = [{ id: 'report', label: 'Report…', Icon: Flag, run: () => setOpen(true) }];
  if (useIsOwn(agent)) return null;
  return (
    <>
      <Menu
        trigger={<IconButton size="sm" label={`More for ${agent.name}`} Icon={Ellipsis} className="-mt-1 -mr-2" />}
        groups={[{ items }]}
      />
      <ReportDialog agent={agent} open={open} onOpenChange={setOpen} />
    </>
  );
}

/** The same in the agent’s own view. */
export function ReportButton({ agent }: { agent: PublicAgent }) {
  const [open, setOpen] = useState(false);
  if (useIsOwn(agent)) return null;
  return (
    <>
      <Button size="sm" variant="ghost" className="self-start" onClick={() => setOpen(true)}>
        <Flag className="size-4" />
        Report
      </Button>
      <ReportDialog agent={agent} open={open} onOpenChange={setOpen} />
    </>
  );
}
