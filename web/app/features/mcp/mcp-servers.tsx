import { useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useFocusWhenClosed } from '../../ui/focus/use-focus-when-closed.ts';
import { AddMcpServer } from './add-mcp-server.tsx';
import { useMcpServers } from './mcp.api.ts';
import { ServerRow } from './server-row.tsx';

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
