import type { Agent } from '@atelier/contract/agents';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { AgentForm, type AgentFormProps } from './agent-form.tsx';

export interface AgentDialogProps
  extends Pick<AgentFormProps, 'onSaved' | 'onDeleted' | 'notice' | 'files' | 'servers'> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The agent to edit, as it was when the dialog opened; left out, the dialog creates one. */
  agent?: Agent;
}

/** The agent form in a modal, for pages that have something else to show. It closes itself once saved or deleted. */
export function AgentDialog({
  open,
  onOpenChange,
  agent,
  notice,
  files,
  servers,
  onSaved,
  onDeleted,
}: AgentDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={agent ? 'Edit Agent' : 'Create Agent'} size="lg">
      <AgentForm
        key={agent?.id ?? 'new'}
        agent={agent}
        notice={notice}
        files={files}
        servers={servers}
        onCancel={() => onOpenChange(false)}
        onSaved={(saved) => {
          onOpenChange(false);
          onSaved?.(saved);
        }}
        onDeleted={(gone) => {
          onOpenChange(false);
          onDeleted?.(gone);
        }}
      />
    </Dialog>
  );
}
