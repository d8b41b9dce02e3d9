import type { NewApiKey } from '@atelier/contract/keys';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Shows a new key's secret, which nobody can show again. */
export function NewKeySecret({ apiKey, onDone }: { apiKey: NewApiKey; onDone: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Banner tone="warning">
        <p>
          Copy this key now: it is shown only once. Anyone who has it can use your agents, so keep it like a password.
        </p>
      </Banner>
      <div className="flex items-center gap-2 rounded border bg-sunken py-2 pr-2 pl-3">
        <code aria-label={`Key ${apiKey.name}`} className="min-w-0 flex-1 break-all font-mono text-sm">
          {apiKey.secret}
        </code>
        <CopyButton text={apiKey.secret} label="Copy the key" />
      </div>
      <Button variant="primary" className="self-end" onClick={onDone}>
        I have copied it
      </Button>
    </div>
  );
}
