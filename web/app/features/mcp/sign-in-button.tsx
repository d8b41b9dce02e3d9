import type { McpServer } from '@atelier/contract/mcp';
import { useEffect, useId, useRef, useState } from 'react';
import { ApiError, errorText } from '../../lib/http.ts';
import { ErrorLine } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useFocusPassedOn, useFocusWhenClosed } from '../../ui/focus/use-focus.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useSignIn } from './mcp.api.ts';

/** Begins a sign-in at the server, and asks before it is opened. */
export function SignInButton({ server }: { server: McpServer }) {
  const signIn = useSignIn(server.id);
  const [address, setAddress] = useState<string>();
  const [client, setClient] = useState({ id: '', secret: '' });
  const { opener, closing } = useFocusWhenClosed();
  const needsClient = signIn.error instanceof ApiError && signIn.error.field === 'client';
  const begin = () => {
    const ownClient = client.id.trim() === '' ? {} : { client: { id: client.id, ...secretOf(client.secret) } };
    signIn.mutate(ownClient, { onSuccess: setAddress });
  };
  if (address !== undefined) {
    return <OpenSignIn name={server.name} address={address} onCancel={() => closing(() => setAddress(undefined))} />;
  }
  return (
    <>
      <Button ref={opener} size="sm" loading={signIn.isPending} onClick={begin}>
        {server.access === 'sign_in' && server.state !== 'signed_out' ? 'Sign in again' : 'Sign in'}
      </Button>
      {signIn.isError && (
        <div className="order-last flex w-full flex-col gap-3">
          <ErrorLine>{errorText(signIn.error)}</ErrorLine>
          {needsClient && <ClientFields client={client} onChange={setClient} />}
        </div>
      )}
    </>
  );
}

/** Shows where the sign-in is before it opens in another tab: the server chose the address, and people decide whether they trust it. */
function OpenSignIn({ name, address, onCancel }: { name: string; address: string; onCancel: () => void }) {
  const { host } = new URL(address);
  const about = useId();
  const row = useFocusPassedOn<HTMLDivElement>('after');
  const link = useRef<HTMLAnchorElement>(null);
  // The pressed button has given way to this.
  useEffect(() => link.current?.focus(), []);
  return (
    <div
      ref={row}
      role="group"
      aria-label={`Sign-in for ${name}`}
      className="order-last flex w-full flex-col gap-3 pt-2 [overflow-wrap:anywhere]"
    >
      <p id={about}>
        “{name}” sends you to <strong className="font-mono">{host}</strong>. Go on only if you trust this address: what
        you permit there, “{name}” can do in your name.
      </p>
      <div className="flex flex-wrap gap-2">
        <a
          ref={link}
          href={address}
          target="_blank"
          rel="noreferrer"
          aria-describedby={about}
          className={buttonClass('secondary', 'sm')}
        >
          Open {host}
        </a>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
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
        hint={`Register ${window.location.origin}/api/mcp-servers/signed-in as its redirect address.`}
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
