import { allOfServer, type Tool } from '@atelier/contract/tools';
import { Checkbox } from '../../ui/checkbox.tsx';

interface ServerSwitchesProps {
  /** Every tool there is. */
  tools: readonly Tool[];
  /** Those that the search found: only their servers are offered. */
  found: readonly Tool[];
  chosen: readonly string[];
  onToggle: (id: string, on: boolean) => void;
}

/** One choice for all tools of a server, however many it has. */
export function ServerSwitches({ tools, found, chosen, onToggle }: ServerSwitchesProps) {
  const offered = new Set(found.map(({ server }) => server));
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
