import type { Agent } from '@atelier/contract/agents';
import { Link } from 'react-router';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { AgentFieldsProps } from './agent-fields.tsx';
import { useTools } from './agents.api.ts';

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

function ToolPicker({ form, errors, change }: AgentFieldsProps) {
  const tools = useTools(true);
  const toggle = (id: string, on: boolean) =>
    change({ tools: on ? [...form.tools, id] : form.tools.filter((t) => t !== id) });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-semibold text-sm">Tools</legend>
      {tools.isPending && <Skeleton className="h-6 w-56" />}
      {tools.isError && (
        <p className="flex items-center gap-3 text-danger text-sm">
          {errorText(tools.error)}
          <Button size="sm" onClick={() => void tools.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {tools.data?.length === 0 && <p className="text-muted text-sm">No tools are installed yet.</p>}
      {tools.data?.map((tool) => (
        <Checkbox
          key={tool.id}
          label={<span className="font-mono">{tool.id}</span>}
          hint={tool.description}
          checked={form.tools.includes(tool.id)}
          onChange={(e) => toggle(tool.id, e.target.checked)}
        />
      ))}
      {errors.tools && <p className="text-danger text-sm">{errors.tools}</p>}
    </fieldset>
  );
}
