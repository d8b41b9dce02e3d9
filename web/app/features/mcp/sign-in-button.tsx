import type { McpServer } from '@atelier/contract/mcp';
import { useState } from 'react';
import { ApiError, errorText } from '../../lib/http.ts';
import { ErrorLine } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSignIn } from './mcp.api.ts';

/** Opens the server's sign-in in another tab, so that the form stays as it is. */
export function SignInButton({ server }: { server: McpServer }) {
  const signIn = useSignIn(server.id);
  const [blocked, setBlocked] = useState<string>();
  const [client, setClient] = useState({ id: '', secret: '' });
  const needsClient = signIn.error instanceof ApiError && signIn.error.field === 'client';
  const begin = () => {
    // Opened at once: after the request the browser would take it for a pop-up that nobody wanted.
    const tab = window.open('about:blank', '_blank');
    const given = client.id.trim() === '' ? {} : { client: { id: client.id, ...secretOf(client.secret) } };
    signIn.mutate(given, {
      onSuccess: (address) => {
        if (tab === null) setBlocked(address);
        else tab.location.href = address;
      },
      onError: () => tab?.close(),
    });
  };
  return (
    <>
      <Button size="sm" loading={signIn.isPending} onClick={begin}>
        Sign in
      </Button>
      {blocked !== undefined && (
        <a href={blocked} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'sm')}>
          Open the sign-in
        </a>
      )}
      {signIn.isError && (
        <div className="order-last flex w-full flex-col gap-3">
          <ErrorLine>{errorText(signIn.error)}</ErrorLine>
          {needsClient && <ClientFields client={client} onChange={setClient} />}
        </div>
      )}
    </>
  );
}

const secretOf = (secret: string) => (secret.trim() === '' ? {} : { secret });

interface ClientFieldsProps {
  client: { id: string; secret: string };
  onChange: (client: { id: string; secret: string }) => void;
}

/** Asks for a client that the person registered by hand. */
function ClientFields({ client, onChange }: ClientFieldsProps) {
  return (
    <>
      <TextField
        label="Client ID"
        hint={`Register ${window.location.origin}/api/mcp-servers/signed-in as where it sends you back.`}
        autoComplete="off"
        value={client.id}
        onChange={(e) => onChange({ ...client, id: e.target.value })}
      />
      <TextField
        label="Client secret, if there is one"
        type="password"
        autoComplete="off"
        value={client.secret}
        onChange={(e) => onChange({ ...client, secret: e.target.value })}
      />
    </>
  );
}
