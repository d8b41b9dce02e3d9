import { PROVIDER_NAMES, signInProvider } from '@atelier/contract/accounts';
import type { Way } from '@atelier/contract/accounts/ways';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { dayOf } from '../../../ui/formats.ts';
import { toggled } from '../../../ui/list/toggled.ts';

export interface WayChoiceProps {
  /** What is chosen by ticking. */
  legend: string;
  ways: readonly Way[];
  ticked: ReadonlySet<string>;
  onChange: (ticked: ReadonlySet<string>) => void;
}

/** Ways into the account, each with its date and a tick. */
export function WayChoice({ legend, ways, ticked, onChange }: WayChoiceProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 [overflow-wrap:anywhere]">
      <legend className="mb-2 text-muted text-sm">{legend}</legend>
      {ways.map((way) => (
        <Checkbox
          key={way.id}
          label={wayWords(way)}
          hint={way.addedAt === null ? 'Added some time ago' : `Added ${dayOf(way.addedAt)}`}
          checked={ticked.has(way.id)}
          onChange={() => onChange(toggled(ticked, way.id))}
        />
      ))}
    </fieldset>
  );
}

/** What a way in is, with its name. */
function wayWords({ kind, name }: Pick<Way, 'kind' | 'name'>): string {
  switch (kind) {
    case 'passkey':
      return `Passkey “${name}”`;
    case 'provider':
      return `Account at ${PROVIDER_NAMES[signInProvider.catch('google').parse(name)]}`;
    case 'two_factor':
      return 'Second factor';
    case 'api_key':
      return `API key “${name}”`;
    case 'tool_server':
      return `Access to the tool server “${name}”`;
    case 'link':
      return name === '' ? 'Shared link to an answer' : `Shared link to “${name}”`;
  }
}
