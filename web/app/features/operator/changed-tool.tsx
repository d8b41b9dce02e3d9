import type { ChangedTool, ToolDescription } from '@atelier/contract/operator/tool-servers';
import { SeenText } from '../../lib/names/seen-text.tsx';
import { ActDialog } from './act-dialog.tsx';
import { useDecideTool } from './admin.api.ts';
import { EntryActs } from './admin-list.tsx';

/** A tool that its server has changed: before and now side by side, and what can be decided. */
export function ChangedToolEntry({ server, tool }: { server: string; tool: ChangedTool }) {
  const { name, before, leftOff } = tool;
  const decide = useDecideTool(server);
  const does = (decision: 'approve' | 'leave-off') => async (input: { reason: string }) =>
    decide.mutateAsync({ tool: name, code: tool.code, decision, reason: input.reason });
  return (
    <li className="rounded-lg border p-4 [overflow-wrap:anywhere]">
      <h3 className="font-mono font-semibold">
        <SeenText text={name} />
      </h3>
      <p className={leftOff ? 'text-muted text-sm' : 'text-sm text-warning'}>{stateOf(tool)}</p>
      {before === null ? <Side title="New tool" {...tool.now} parts={ALL} name={name} /> : <Sides tool={tool} />}
      <EntryActs>
        <ActDialog
          label="Approve"
          title={`Approve “${name}” as it is now?`}
          act={does('approve')}
          done="The tool is offered as it is now."
        >
          <p>Agents that had the tool ask before each call, until their owners switch it off and on again.</p>
        </ActDialog>
        {!leftOff && (
          <ActDialog
            label="Leave off"
            title={`Leave “${name}” off?`}
            act={does('leave-off')}
            done="The tool stays off."
          >
            <p>It stays off and waits for nobody, until its server changes it again. You can approve it later.</p>
          </ActDialog>
        )}
      </EntryActs>
    </li>
  );
}

function stateOf({ before, leftOff }: ChangedTool): string {
  if (leftOff) return 'Left off by an operator';
  return before === null ? 'New since you approved this server’s tools' : 'Changed since you approved it';
}

type Part = keyof ToolDescription;
const ALL: readonly Part[] = ['description', 'input', 'annotations', 'readOnly'];

function Sides({ tool: { name, before, now } }: { tool: ChangedTool }) {
  if (before === null) return null;
  const parts = ALL.filter((part) => before[part] !== now[part]);
  return (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Side title="As approved" {...before} parts={parts} name={name} />
      <Side title="Now" {...now} parts={parts} name={name} />
    </div>
  );
}

type SideProps = ToolDescription & { title: string; parts: readonly Part[]; name: string };

/** What of a tool differs, on one side. */
function Side({ title, parts, name, ...tool }: SideProps) {
  const has = (part: Part) => parts.includes(part);
  return (
    <div className="mt-3 flex min-w-0 flex-col">
      <h4 className="font-semibold text-sm">{title}</h4>
      <div
        role="group"
        aria-label={`${name}: ${title}`}
        tabIndex={0}
        className="mt-1 max-h-96 flex-1 overflow-y-auto rounded bg-sunken p-3 text-sm"
      >
        {has('description') && (
          <p className="whitespace-pre-line">
            <SeenText text={tool.description || 'No description'} />
          </p>
        )}
        {has('input') && <Json label="Input" text={tool.input} />}
        {has('annotations') && <Json label="Annotations" text={tool.annotations || 'none'} />}
        {has('readOnly') && (
          <p className="mt-2">
            {tool.readOnly ? 'It says that it only reads.' : 'It does not say that it only reads.'}
          </p>
        )}
      </div>
    </div>
  );
}

const Json = ({ label, text }: { label: string; text: string }) => (
  <div className="mt-2 first:mt-0">
    <p className="text-muted">{label}</p>
    <pre className="whitespace-pre-wrap font-mono text-xs">
      <SeenText text={text} />
    </pre>
  </div>
);
