import { allOfServer, shownToolName, type Tool } from '@atelier/contract/tools';
import { useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { hasWords } from '../../ui/list/has-words.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import type { AgentFieldsProps } from './agent-form-state.ts';
import { useTools } from './agents.api.ts';

/** More rows would make the form slow; the search finds the others. */
const SHOWN_MAX = 100;

/** The tools of an agent: chosen ones first, the rest by search. */
export function ToolPicker({ form, errors, change }: AgentFieldsProps) {
  const tools = useTools(true);
  const [query, setQuery] = useState('');
  // What was chosen when the form opened stays on top; a tick must not move its row from under the finger.
  const [first] = useState(form.tools);
  const toggle = (id: string, on: boolean) =>
    change({ tools: on ? [...form.tools, id] : form.tools.filter((t) => t !== id) });
  const catalogue = tools.data ?? [];
  const isKnown = (id: string) => catalogue.some((tool) => tool.id === id || allOfServer(tool.id) === id);
  const missing = first.filter((id) => tools.isSuccess && !isKnown(id));
  const shown = matchingTools(catalogue, query, first);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-semibold text-sm">
        Tools {form.tools.length > 0 && <span className="font-normal text-muted">({form.tools.length} chosen)</span>}
      </legend>
      {tools.isPending && <Skeleton className="h-11" />}
      <LoadFailure of={tools} />
      {tools.isSuccess && (
        <TextInput
          type="search"
          aria-label="Search tools"
          placeholder="Search tools"
          autoComplete="off"
          value={query}
          onChange={(e) => setQuery(e.target.value)}
          onKeyDown={(e) => e.key === 'Enter' && e.preventDefault()}
        />
      )}
      {tools.isSuccess && (
        <div
          role="group"
          aria-label="Tools found"
          tabIndex={0}
          className="flex max-h-72 flex-col gap-3 overflow-y-auto overscroll-contain rounded border p-3"
        >
          <ServerSwitches tools={catalogue} matches={shown} chosen={form.tools} onToggle={toggle} />
          {shown.slice(0, SHOWN_MAX).map((tool) => (
            <ToolBox key={tool.id} tool={tool} chosen={form.tools} onToggle={toggle} />
          ))}
          {shown.length > SHOWN_MAX && (
            <p className="text-muted text-sm">
              {shown.length - SHOWN_MAX} more. Search for what a tool does, or for its name.
            </p>
          )}
          {shown.length === 0 && <p className="text-muted text-sm">No tool matches “{query}”.</p>}
          {missing.map((id) => (
            <Checkbox
              key={id}
              label={<span className="break-all font-mono">{id}</span>}
              hint="Not installed here any more, so it is not used."
              checked={form.tools.includes(id)}
              onChange={(e) => toggle(id, e.target.checked)}
            />
          ))}
        </div>
      )}
      {errors.tools && <p className="text-danger text-sm">{errors.tools}</p>}
    </fieldset>
  );
}

interface ToolBoxProps {
  tool: Tool;
  chosen: readonly string[];
  onToggle: (id: string, on: boolean) => void;
}

function ToolBox({ tool, chosen, onToggle }: ToolBoxProps) {
  const byServer = chosen.includes(allOfServer(tool.id) ?? '');
  return (
    <Checkbox
      label={<span className="break-all font-mono">{shownToolName(tool.id)}</span>}
      disabled={byServer}
      hint={
        <>
          {/* What a server says of its tool is read whole before it is turned on. */}
          <span className={tool.server === null ? 'line-clamp-3' : '[overflow-wrap:anywhere]'}>
            <SeenText text={tool.description} />
          </span>
          {tool.title !== undefined && (
            <span className="block">
              Its server calls it “<SeenName name={tool.title} />
              ”.
            </span>
          )}
          {tool.server !== null && (
            <span className="block">
              From the server “<SeenName name={tool.server} />
              ”.
            </span>
          )}
          {tool.writes && <span className="block">Asks you before each call.</span>}
          {tool.off !== undefined && <span className="block text-warning">{tool.off}</span>}
        </>
      }
      checked={byServer || chosen.includes(tool.id)}
      onChange={(e) => onToggle(tool.id, e.target.checked)}
    />
  );
}

interface ServerSwitchesProps {
  /** Every tool there is. */
  tools: readonly Tool[];
  /** Those that the search found: only their servers are offered. */
  matches: readonly Tool[];
  chosen: readonly string[];
  onToggle: (id: string, on: boolean) => void;
}

/** One choice for all tools of a server, however many it has. */
function ServerSwitches({ tools, matches, chosen, onToggle }: ServerSwitchesProps) {
  const offered = new Set(matches.map(({ server }) => server));
  const servers = Map.groupBy(
    tools.filter(({ server }) => server !== null && offered.has(server)),
    ({ id }) => allOfServer(id) ?? '',
  );
  return [...servers].map(([all, ofServer]) => (
    <Checkbox
      key={all}
      label={`All tools of “${ofServer[0]?.server}”`}
      hint={`${ofServer.length === 1 ? '1 tool' : `${ofServer.length} tools`}, and those it offers later. The agent searches those that don’t fit.`}
      checked={chosen.includes(all)}
      onChange={(e) => onToggle(all, e.target.checked)}
    />
  ));
}

/** The tools in whose id, description or server every word of the query stands; those of `first` before the others. */
export function matchingTools(tools: readonly Tool[], query: string, first: readonly string[]): Tool[] {
  const matches = tools.filter(({ id, title = '', description, server }) =>
    hasWords(`${id} ${id.replaceAll('_', ' ')} ${title} ${description} ${server ?? ''}`, query),
  );
  const rank = (tool: Tool) => (first.includes(tool.id) ? 0 : 1);
  return matches.toSorted((a, b) => rank(a) - rank(b));
}
