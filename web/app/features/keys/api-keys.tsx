import type { ReactNode } from 'react';
import { Section } from '../../ui/page/section.tsx';
import type { ChosenAgent } from './keys.api.ts';
import { OwnKeys } from './own-keys.tsx';

interface ApiKeysProps {
  isPro: boolean;
  /** How to buy Pro. */
  upgrade: ReactNode;
  /** The person's agents, once they are loaded. */
  agents: ChosenAgent[] | undefined;
}

/** The section of the account page about API keys. */
export function ApiKeys({ isPro, upgrade, agents }: ApiKeysProps) {
  return (
    <Section title="API keys">
      <p className="mt-2 text-muted">
        With a key, your own programs can talk to your agents. Give each program a key of its own, so that you can
        revoke one without the others.
      </p>
      {isPro ? (
        <OwnKeys agents={agents} />
      ) : (
        <div className="mt-4 flex flex-col items-start gap-3">
          <p>API keys are only available to Pro users.</p>
          {upgrade}
        </div>
      )}
    </Section>
  );
}
