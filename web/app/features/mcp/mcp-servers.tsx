import type { McpServer } from '@atelier/contract/mcp';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useFocusPassedOn } from '../../ui/focus/use-focus-passed-on.ts';
import { useFocusWhenClosed } from '../../ui/focus/use-focus-when-closed.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { AddMcpServer } from './add-mcp-server.tsx';
import { useMcpServerAction, useMcpServers } from './mcp.api.ts';

/** The person's tool servers, and a button to add one. */
export function McpServers() {
  const servers = useMcpServers();
  const [adding, setAdding] = useState(false);
  const { opener, closing } = useFocusWhenClosed();
  const done = () => closing(() => setAdding(false));
  return (
    <section aria-label="Tool servers" className="flex min-w-0 flex-col gap-2">
      <h3 className="font-semibold text-sm">Tool servers</h3>
      <p className="text-muted text-sm">
        Servers that speak the Model Context Protocol over HTTP offer their tools above. Their tools ask you before each
        call.
      </p>
      {servers.isError && <Failure text={errorText(servers.error)} onRetry={() => void servers.refetch()} />}
      {servers.data && servers.data.length > 0 && (
        <ul className="flex flex-col divide-y rounded border px-3">
          {servers.data.map((server) => (
            <ServerRow key={server.id} server={server} />
          ))}
        </ul>
      )}
      {adding ? (
        <AddMcpServer onDone={done} />
      ) : (
        <Button ref={opener} size="sm" className="self-start" onClick={() => setAdding(true)}>
          Add a server
        </Button>
      )}
    </section>
  );
}

function ServerRow({ server }: { server: McpServer }) {
  const remove = useMcpServerAction('remove');
  const approve = useMcpServerAction('approve');
  const row = useFocusPassedOn<HTMLLIElement>('after');
  const removing = useRef<HTMLButtonElement>(null);
  const failed = (error: Error) => toast.error(errorText(error));
  // The pressed button disappears with the question.
  const approved = () => removing.current?.focus();
  const count = server.tools.length;
  return (
    <li ref={row} className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <div className="min-w-0 flex-1 basis-full sm:basis-40">
        <p className="font-semibold [overflow-wrap:anywhere]">{server.name}</p>
        <p className="truncate font-mono text-muted text-xs">{server.url}</p>
        {server.state === 'changed' ? (
          <p className="text-warning">Its tools have changed since you approved them, so they are off.</p>
        ) : (
          <p className="text-muted">{count === 1 ? '1 tool' : `${count} tools`}</p>
        )}
      </div>
      {server.changes.length > 0 && <Changes server={server} />}
      {server.state === 'changed' && (
        <Button
          size="sm"
          loading={approve.isPending}
          onClick={() => approve.mutate(server, { onSuccess: approved, onError: failed })}
        >
          Approve again
        </Button>
      )}
      <Button
        ref={removing}
        size="sm"
        variant="ghost"
        loading={remove.isPending}
        onClick={() => remove.mutate(server, { onError: failed })}
      >
        Remove
      </Button>
    </li>
  );
}

/** The changes that an approval would accept. */
function Changes({ server }: { server: McpServer }) {
  return (
    <div
      role="group"
      aria-label={`What changed in ${server.name}`}
      tabIndex={0}
      className="order-last max-h-56 w-full overflow-y-auto rounded bg-sunken p-2"
    >
      <dl className="flex flex-col gap-2">
        {server.changes.map(({ name, before, now, input }) => (
          <div key={name} className="[overflow-wrap:anywhere]">
            <dt className="font-mono text-xs">{name}</dt>
            {before !== null && before !== now && <dd className="text-muted">Before: {before || 'no description'}</dd>}
            {before !== now && <dd>{now === null ? 'No longer offered.' : `Now: ${now || 'no description'}`}</dd>}
            {input !== null && (
              <dd>
                {before === null ? 'It takes' : 'Its input or annotations changed. Now'}:
                <pre className="whitespace-pre-wrap font-mono text-xs">{input}</pre>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  );
}
