import type { ModelProvider } from '@atelier/contract/operator/providers';
import { ErrorLine } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { minuteOf } from '../../ui/formats.ts';
import { Section } from '../../ui/page/section.tsx';
import { useProbeProvider, useProviders } from './admin.api.ts';
import { AdminPart } from './admin-list.tsx';
import { OfferedModels } from './offered-models.tsx';
import { Trial } from './trial.tsx';

/** The model providers: how each is, and which of its models people can choose. */
export function ProvidersList() {
  const providers = useProviders();
  return (
    <>
      <p className="text-muted">
        People can choose the models that are switched on. An agent with a model that you switch off doesn’t answer
        until its owner chooses another one. Answers that are being written go on.
      </p>
      <AdminPart of={providers} loading="Loading the providers">
        {({ providers: all, standIn }) =>
          all.length === 0 ? (
            <EmptyState title="No provider is connected: the built-in offline model answers. To connect a real model, set OPENAI_API_KEY, OPENAI_BASE_URL or MODELS_FILE and restart." />
          ) : (
            all.map((provider) => <Provider key={provider.name} provider={provider} standIn={standIn} />)
          )
        }
      </AdminPart>
    </>
  );
}

function Provider({ provider, standIn }: { provider: ModelProvider; standIn: string | null }) {
  const probe = useProbeProvider(provider.name);
  return (
    <Section title={provider.name}>
      <Facts provider={provider} />
      {provider.problem !== null && (
        <div className="mt-3">
          <ErrorLine>Its list of models could not be read: {provider.problem}</ErrorLine>
        </div>
      )}
      <Trial label="Test now" mutation={probe}>
        {({ works, about }) => (
          <p className={works ? 'text-success' : 'text-danger'}>
            {works ? 'Works' : 'Broken'}: {about}
          </p>
        )}
      </Trial>
      <OfferedModels provider={provider} standIn={standIn} />
    </Section>
  );
}

const ORIGINS = { environment: 'By OPENAI_… variables', file: 'In MODELS_FILE' };

function Facts({ provider: { name, host, origin, answeredAt, failure } }: { provider: ModelProvider }) {
  const facts = [
    ...(host === name ? [] : [['Host', host]]),
    ['Set', ORIGINS[origin]],
    ['Last answer', answeredAt === null ? 'None yet' : minuteOf(answeredAt)],
    ['Last failure', failure === null ? 'None' : failureText(failure)],
  ];
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
      {facts.map(([term, text]) => (
        <div key={term} className="contents">
          <dt className="text-muted">{term}</dt>
          <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function failureText({ at, status, code, type }: NonNullable<ModelProvider['failure']>): string {
  const parts = [
    status === null ? 'no answer' : `status ${status}`,
    ...(code === null ? [] : [`code ${code}`]),
    ...(type === null ? [] : [`type ${type}`]),
  ];
  return `${minuteOf(at)}: ${parts.join(', ')}`;
}
