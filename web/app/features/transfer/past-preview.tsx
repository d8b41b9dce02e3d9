import type { AccountImport } from '@atelier/contract/transfer/imports';
import { PAST_SENTENCES, type Past, PROGRAM_NAMES } from '@atelier/contract/transfer/past';
import { useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { errorText } from '../../lib/http.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { formatNumber } from '../../ui/formats.ts';
import { SelectField } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { spanText } from './import-text.ts';
import { ConversationChoice, FactChoice } from './past-choices.tsx';
import { useDiscardImport, useImportPast, usePast } from './transfer.api.ts';

/** An agent by its address, which can get the sessions. */
export interface ChoosableAgent {
  id: string;
  name: string;
}

/** What the export of another program holds, and the choice of what to import. */
export function PastPreview({ current, agents }: { current: AccountImport; agents: ChoosableAgent[] }) {
  const past = usePast(current.id);
  const room = useRoom();
  if (past.isLoadingError) return <LoadFailure of={past} />;
  if (past.data === undefined) return <Skeleton className="h-40" />;
  return <PastForm id={current.id} past={past.data} agents={agents} room={room} />;
}

/** How many more sessions the account may have; undefined without a limit. */
function useRoom(): number | undefined {
  const { me } = useAuth();
  const limit = me?.limits.sessions ?? null;
  return me === null || limit === null ? undefined : Math.max(0, limit - me.usage.sessionCount);
}

interface PastFormProps {
  id: string;
  past: Past;
  agents: ChoosableAgent[];
  room: number | undefined;
}

function PastForm({ id, past, agents, room }: PastFormProps) {
  const { conversations, program } = past;
  const [agentId, setAgentId] = useState('');
  const [chosen, setChosen] = useState(() => new Set(conversations.slice(0, room).keys()));
  const [facts, setFacts] = useState<ReadonlySet<number>>(new Set());
  const [problem, setProblem] = useState<string>();
  const store = useImportPast(id);
  const discard = useDiscardImport();
  const refused = problem ?? ((store.error ?? discard.error) ? errorText(store.error ?? discard.error) : undefined);
  const begin = () => {
    if (chosen.size === 0) return setProblem(PAST_SENTENCES.none);
    setProblem(undefined);
    const wantedFacts = [...facts].filter((place) => chosen.has(past.facts[place]?.conversation ?? -1));
    store.mutate({ agentId: agentId === '' ? null : agentId, conversations: [...chosen], facts: wantedFacts });
  };
  const messages = conversations.reduce((sum, one) => sum + one.messages, 0);
  return (
    <>
      <p>
        {formatNumber(conversations.length)} {conversations.length === 1 ? 'conversation' : 'conversations'} with{' '}
        {formatNumber(messages)} messages, {spanText(conversations)}.
      </p>
      {room !== undefined && (
        <Banner tone="warning">
          Free accounts have 3 sessions: there is room for {room === 0 ? 'no more' : `${room} more`}. The newest of the
          conversations that you choose are imported. With Pro, all of them are.
        </Banner>
      )}
      <SelectField
        label="Agent"
        hint="Its sessions get the conversations, and it remembers them."
        value={agentId}
        onChange={(event) => setAgentId(event.target.value)}
        options={[
          { value: '', label: `The agent “${PROGRAM_NAMES[program]}”, made for it` },
          ...agents.map((agent) => ({ value: agent.id, label: agent.name })),
        ]}
      />
      <ConversationChoice conversations={conversations} chosen={chosen} onChange={setChosen} />
      {past.facts.length > 0 && <FactChoice past={past} chosen={chosen} facts={facts} onChange={setFacts} />}
      {refused !== undefined && <ErrorBanner>{refused}</ErrorBanner>}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" loading={store.isPending} onClick={begin}>
          Import
        </Button>
        <Button loading={discard.isPending} onClick={() => discard.mutate(id)}>
          Cancel
        </Button>
      </div>
    </>
  );
}
