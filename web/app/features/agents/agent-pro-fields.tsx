import type { Agent } from '@atelier/contract/agents';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PUBLISHED } from '../../lib/agent-labels.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { AgentFieldsProps } from './agent-form-state.ts';
import { ToolPicker } from './tool-picker.tsx';

interface AgentProFieldsProps extends AgentFieldsProps {
  isPro: boolean;
  agent: Agent | undefined;
  /** The files of the agent, where it exists. */
  files: ReactNode;
  /** The person's own servers of tools. */
  servers: ReactNode;
}

/** What Pro adds: publishing (shown to all, with the reason), tools, and files of an agent that exists. */
export function AgentProFields(props: AgentProFieldsProps) {
  const { form, change, isPro, agent, files, servers } = props;
  return (
    <>
      <Checkbox
        label="Public"
        name="isPublic"
        disabled={!isPro}
        checked={isPro && form.isPublic}
        onChange={(e) => change({ isPublic: e.target.checked })}
        hint={
          isPro ? (
            `Everyone who is signed in can see its ${PUBLISHED}, and copy it.`
          ) : (
            <>
              Only Pro users can publish agents.{' '}
              <Link to="/billing" className="text-ink underline underline-offset-2">
                Upgrade to Pro
              </Link>
            </>
          )
        }
      />
      {isPro && <ToolPicker {...props} />}
      {isPro && servers}
      {isPro && agent && files}
    </>
  );
}
