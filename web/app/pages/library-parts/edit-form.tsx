import type { Agent } from '@atelier/contract/agents';
import { useEffect, useRef } from 'react';
import { AgentForm } from '../../features/agents/agent-form.tsx';
import { AgentFiles } from '../../features/files/agent-files.tsx';
import { ForkNotice } from '../../features/forks/fork-notice.tsx';
import { McpServers } from '../../features/mcp/mcp-servers.tsx';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { focusFirstField } from '../../ui/focus/first-field.ts';

/**
 * The form below the list, its first field in focus; a new agent's chat opens when it is saved. It scrolls into view when it opens, because
 * the list may be long.
 */
export function EditForm({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const chat = useStartChat();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    focusFirstField(section.current);
    section.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, []);
  const title = agent ? `Edit “${agent.name}”` : 'Create Agent';
  return (
    <section
      ref={section}
      aria-label={title}
      className="flex max-w-3xl scroll-mt-4 flex-col gap-4 rounded-lg border border-edge bg-raised p-5 pb-4"
    >
      <h3 className="font-semibold text-lg">{title}</h3>
      <AgentForm
        agent={agent}
        notice={agent && <ForkNotice agent={agent} />}
        servers={<McpServers />}
        files={agent && <AgentFiles agentId={agent.id} />}
        onCancel={onClose}
        onSaved={(saved) => {
          onClose();
          if (!agent) chat.open(saved);
        }}
        onDeleted={onClose}
      />
    </section>
  );
}
