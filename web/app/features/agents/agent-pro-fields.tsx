import type { Agent } from '@atelier/contract/agents';
import { Link } from 'react-router';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { AgentFieldsProps } from './agent-fields.tsx';
import { ToolPicker } from './tool-picker.tsx';

/** What Pro adds: publishing (shown to all, with the reason), tools, and files of an agent that exists. */
export function AgentProFields(props: AgentFieldsProps & { isPro: boolean; agent: Agent | undefined }) {
  const { form, change, isPro, agent } = props;
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
            'Everyone who is signed in can see its name, model, prompt, tags and tools, and copy it.'
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
      {isPro && agent && (
        <section className="flex flex-col gap-1">
          <h3 className="font-semibold text-sm">Files</h3>
          <p className="text-muted text-sm">Files arrive in a later version.</p>
        </section>
      )}
    </>
  );
}
