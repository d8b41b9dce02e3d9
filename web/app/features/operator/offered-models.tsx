import { MODELS_AT_ONCE, type ModelProvider } from '@atelier/contract/operator/providers';
import { useState } from 'react';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { formatNumber } from '../../ui/formats.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ActDialog } from './act-dialog.tsx';
import { useOfferModels } from './admin.api.ts';

type Model = ModelProvider['models'][number];

/** From this many models on they can be searched, and are shown in part. */
const MANY = 12;

const counted = (count: number) => (count === 1 ? '1 model' : `${formatNumber(count)} models`);

/** What a provider lists, with a switch for each model. */
export function OfferedModels({ provider, standIn }: { provider: ModelProvider; standIn: string | null }) {
  const { name, models } = provider;
  const [words, setWords] = useState('');
  const [all, setAll] = useState(false);
  const sought = words.trim().toLowerCase();
  const matches = models.filter(({ id, label }) => `${id} ${label}`.toLowerCase().includes(sought));
  const shown = all ? matches : matches.slice(0, MANY);
  const offered = models.filter((one) => one.offered).length;
  return (
    <div role="group" aria-label={`Models of ${name}`} className="mt-5 border-t pt-4">
      <h3 className="font-semibold">
        {formatNumber(offered)} of {counted(models.length)} offered
      </h3>
      {models.length === 0 && <p className="mt-2 text-muted">It lists no models.</p>}
      {models.length > MANY && (
        <div className="mt-3 flex flex-wrap items-end gap-3">
          <div className="min-w-56 flex-1">
            <TextField
              label="Search models"
              type="search"
              autoComplete="off"
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
          </div>
          <BothActs provider={name} models={matches} />
        </div>
      )}
      {models.length > 0 && matches.length === 0 && <p className="mt-3 text-muted">No model matches.</p>}
      <ul className="mt-3 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {shown.map((model) => (
          <ModelSwitch key={model.model} provider={name} model={model} standsIn={model.id === standIn} />
        ))}
      </ul>
      {matches.length > shown.length && (
        <Button variant="ghost" size="sm" className="mt-2" onClick={() => setAll(true)}>
          Show all {counted(matches.length)}
        </Button>
      )}
    </div>
  );
}

interface ModelSwitchProps {
  provider: string;
  model: Model;
  standsIn: boolean;
}

function ModelSwitch({ provider, model: { model, label, offered }, standsIn }: ModelSwitchProps) {
  const offer = useOfferModels(provider);
  // While it is being stored, the switch shows what was chosen.
  const isOn = offer.isPending ? offer.variables.offered : offered;
  const change = () => {
    if (offer.isPending) return;
    const done = offered ? `${label} is taken away.` : `${label} is offered.`;
    offer.mutate(
      { models: [model], offered: !offered },
      { onSuccess: () => void toast.success(done), onError: toastError },
    );
  };
  return (
    <li className="min-w-0 py-1 [overflow-wrap:anywhere]">
      <Checkbox
        role="switch"
        label={label}
        hint={standsIn ? 'Answers in place of models that nobody has.' : undefined}
        checked={isOn}
        aria-checked={isOn}
        aria-busy={offer.isPending || undefined}
        onChange={change}
      />
    </li>
  );
}

/** Offers all models that are shown, or takes them away. */
function BothActs({ provider, models }: { provider: string; models: readonly Model[] }) {
  const offer = useOfferModels(provider);
  // Those that the question names: what somebody else switches meanwhile stays as they want it.
  const [names, setNames] = useState<string[]>([]);
  const choose = (offered: boolean) => () =>
    setNames(models.filter((one) => one.offered !== offered).map(({ model }) => model));
  const act = (offered: boolean) => async (input: { reason: string }) => {
    for (let from = 0; from < names.length; from += MODELS_AT_ONCE) {
      await offer.mutateAsync({ ...input, models: names.slice(from, from + MODELS_AT_ONCE), offered });
    }
    toast.success(`${counted(names.length)} ${offered ? 'offered' : 'taken away'}.`);
  };
  const off = models.some((one) => !one.offered);
  const on = models.some((one) => one.offered);
  return (
    <div className="flex flex-wrap gap-2">
      {on && (
        <ActDialog
          label="Switch these off"
          onOpen={choose(false)}
          title={`Take ${counted(names.length)} away?`}
          needsReason={false}
          isDanger
          act={act(false)}
        >
          <p>Agents that have one of them don’t answer until their owners choose another model.</p>
        </ActDialog>
      )}
      {off && (
        <ActDialog
          label="Switch these on"
          onOpen={choose(true)}
          title={`Offer ${counted(names.length)}?`}
          needsReason={false}
          act={act(true)}
        >
          <p>Everybody can choose them for their agents.</p>
        </ActDialog>
      )}
    </div>
  );
}
