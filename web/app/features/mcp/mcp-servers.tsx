import { type McpServer, mcpServerCreate } from '@atelier/contract/mcp';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '../../lib/http.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { Button } from '../../ui/button.tsx';
import { useFocusWhenClosed } from '../../ui/focus/use-focus.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AccessFields, onEnter, readAccess, useAccess } from './access-fields.tsx';
import { useAddMcpServer, useMcpServers } from './mcp.api.ts';
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
      <LoadFailure of={servers} />
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

const fieldOf = (error: Error) =>
  error instanceof ApiError && (error.field === 'name' || error.field === 'headers') ? error.field : 'url';

function addedText({ name, state, tools }: McpServer): string {
  if (state === 'signed_out') return `“${name}” wants to know who you are. Sign in there, in the list of servers.`;
  return `“${name}” offers ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}.`;
}

/** Asks for a server's name and address. It is inside the agent's form, so it can't be a form itself. */
function AddMcpServer({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const { access, setAccess, isTyped } = useAccess();
  const [errors, setErrors] = useState<{ name?: string; url?: string; headers?: string }>({});
  const add = useAddMcpServer();
  useUnsavedArea(name !== '' || url !== '' || isTyped);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = () => {
    const parsed = mcpServerCreate.safeParse({ name, url });
    const issue = (field: string) => parsed.error?.issues.find((i) => i.path[0] === field)?.message;
    const headers = readAccess(access);
    const wrong = 'error' in headers ? headers.error : undefined;
    setErrors({ name: issue('name'), url: issue('url'), headers: wrong });
    if (!parsed.success || 'error' in headers || add.isPending) return;
    add.mutate(
      { ...parsed.data, ...(isTyped ? headers : {}) },
      {
        onSuccess: (server) => {
          toast.success(addedText(server));
          onDone();
        },
        onError: (error) => setErrors({ [fieldOf(error)]: errorText(error) }),
      },
    );
  };
  const onKeyDown = onEnter(submit);
  return (
    <div role="group" aria-label="Add a server" className="flex flex-col gap-3 rounded border p-3">
      <TextField
        label="Server name"
        error={errors.name}
        ref={first}
        autoComplete="off"
        value={name}
        onChange={(e) => setName(e.target.value)}
        onKeyDown={onKeyDown}
      />
      <TextField
        label="Address"
        error={errors.url}
        hint="For example https://example.com/mcp"
        type="url"
        autoComplete="off"
        value={url}
        onChange={(e) => setUrl(e.target.value)}
        onKeyDown={onKeyDown}
      />
      <AccessFields access={access} onChange={setAccess} onKeyDown={onKeyDown} error={errors.headers} />
      <div className="flex gap-2">
        <Button size="sm" loading={add.isPending} onClick={submit}>
          Add server
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
