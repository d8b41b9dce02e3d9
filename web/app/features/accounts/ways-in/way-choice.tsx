import type { Way } from '@atelier/contract/accounts/ways';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { dayOf } from '../../../ui/formats.ts';
import { wayWords } from './way-words.ts';

export interface WayChoiceProps {
  /** What is chosen by ticking. */
  legend: string;
  ways: readonly Way[];
  ticked: ReadonlySet<string>;
  onChange: (ticked: ReadonlySet<string>) => void;
}

/** Ways into the account, each with its date and a tick. */
export function WayChoice({ legend, ways, ticked, onChange }: WayChoiceProps) {
  const toggle = (id: string) => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 [overflow-wrap:anywhere]">
      <legend className="mb-2 text-muted text-sm">{legend}</legend>
      {ways.map((way) => (
        <Checkbox
          key={way.id}
          label={wayWords(way)}
          hint={way.addedAt === null ? 'Added some time ago' : `Added ${dayOf(way.addedAt)}`}
          checked={ticked.has(way.id)}
          onChange={() => toggle(way.id)}
        />
      ))}
    </fieldset>
  );
}
