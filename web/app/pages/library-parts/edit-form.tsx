import type { Agent } from '@atelier/contract/agents';
import { useEffect, useRef } from 'react';
import { AgentForm } from '../../features/agents/agent-form.tsx';
import { AgentFiles } from '../../features/files/agent-files.tsx';
import { ForkNotice } from '../../features/forks/fork-notice.tsx';
import { McpServers } from '../../features/mcp/mcp-servers.tsx';

/** The form below the list. It scrolls into view when it opens, because the list may be long. */
export function EditForm({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    section.current?.focus({ preventScroll: true });
  }, []);
  const title = agent ? `Edit “${agent.name}”` : 'Create Agent';
  return (
    <section
      ref={section}
      aria-label={title}
      tabIndex={-1}
      className="flex max-w-3xl scroll-mt-4 flex-col gap-4 rounded-lg border border-edge bg-surface p-5 outline-none"
    >
      <h3 className="font-semibold text-lg">{title}</h3>
      <AgentForm
        agent={agent}
        notice={agent && <ForkNotice agent={agent} />}
        servers={<McpServers />}
        files={agent && <AgentFiles agentId={agent.id} />}
        onCancel={onClose}
        onSaved={onClose}
        onDeleted={onClose}
      />
    </section>
  );
}
