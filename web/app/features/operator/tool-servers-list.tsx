import type { InstallationServer } from '@atelier/contract/operator/tool-servers';
import { SeenText } from '../../lib/names/seen-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatNumber, minuteOf } from '../../ui/formats.ts';
import { ChevronDown } from '../../ui/icons/lucide.ts';
import { Section } from '../../ui/page/section.tsx';
import { useCheckServer, useToolServers } from './admin.api.ts';
import { AdminPart } from './admin-list.tsx';
import { ChangedToolEntry } from './changed-tool.tsx';
import { Trial } from './trial.tsx';

/** The tool servers of the installation: how each is, its tools, and changes to decide about. */
export function ToolServersList() {
  const query = useToolServers();
  return (
    <>
      <p className="text-muted">
        A tool is offered as it was approved. When its server changes it, it is off until you have approved the change.
      </p>
      <AdminPart of={query} loading="Loading the tool servers">
        {({ servers }) =>
          servers.length === 0 ? (
            <EmptyState title="No tool server is set up. MCP_SERVERS_FILE names a file of servers that everybody with Pro can use." />
          ) : (
            servers.map((server) => <Server key={server.key} server={server} />)
          )
        }
      </AdminPart>
    </>
  );
}

const STATES = {
  ready: { label: 'Works', className: 'text-success' },
  failed: { label: 'Broken', className: 'text-danger' },
  off: { label: 'Off', className: 'text-muted' },
  unknown: { label: 'Not connected right now', className: 'text-muted' },
};

function Server({ server }: { server: InstallationServer }) {
  const { key, name, state, offReason, lastError, changes, more } = server;
  const check = useCheckServer(key);
  return (
    <Section title={name}>
      <div className="mt-2 [overflow-wrap:anywhere]">
        <p className={STATES[state].className}>{STATES[state].label}</p>
        {key !== name && <p className="text-muted text-sm">In tools’ ids it is called {key}.</p>}
        {offReason !== null && <p>{offReason}</p>}
        {lastError !== null && (
          <p className="text-muted text-sm">
            Last error, {minuteOf(lastError.at)}: {lastError.reason}
          </p>
        )}
      </div>
      {state !== 'off' && (
        <Trial label="Check now" mutation={check}>
          {(result) => <CheckResult {...result} />}
        </Trial>
      )}
      <Tools server={server} />
      {changes.length > 0 && (
        <ul aria-label={`Changed tools of ${name}`} className="mt-4 flex flex-col gap-4">
          {changes.map((tool) => (
            <ChangedToolEntry key={tool.name} server={key} tool={tool} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p className="mt-3 text-muted text-sm">
          {more === 1 ? '1 more change is' : `${formatNumber(more)} more changes are`} shown once you have decided about
          these.
        </p>
      )}
    </Section>
  );
}

type Checked = NonNullable<ReturnType<typeof useCheckServer>['data']>;

function CheckResult({ state, tools, reason }: Checked) {
  if (state === 'ready') return <p className="text-success">Works: {tools === 1 ? '1 tool' : `${tools} tools`}</p>;
  if (state === 'starting') return <p className="text-warning">It has not answered yet.</p>;
  return (
    <>
      <p className="text-danger">
        {state === 'off' ? 'Off' : 'Broken'}: {reason}
      </p>
      {state === 'failed' && (
        <p className="text-muted">
          On the server’s machine, <code className="font-mono">npm run admin -- servers</code> shows its last lines.
        </p>
      )}
    </>
  );
}

function Tools({ server: { name, tools } }: { server: InstallationServer }) {
  if (tools.length === 0) return <p className="mt-4 text-muted text-sm">No tool is approved yet.</p>;
  return (
    <details className="group mt-4">
      <summary className="flex min-h-10 cursor-pointer items-center gap-2 touch:min-h-11">
        <ChevronDown className="size-4 shrink-0 group-open:rotate-180" />
        {tools.length === 1 ? '1 tool' : `${formatNumber(tools.length)} tools`}
      </summary>
      <ul aria-label={`Tools of ${name}`} className="flex flex-col gap-2 ps-6 text-sm [overflow-wrap:anywhere]">
        {tools.map((tool) => (
          <li key={tool.name}>
            <span className="font-mono">
              <SeenText text={tool.name} />
            </span>
            <span className="block text-muted">
              <SeenText text={tool.description || 'No description'} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
