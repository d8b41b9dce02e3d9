import type { Past, PastConversation } from '@atelier/contract/transfer/past';
import { type ReactNode, useState } from 'react';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { dayOf, formatNumber } from '../../ui/formats.ts';
import { toggled } from '../../ui/list/toggled.ts';
import { TextField } from '../../ui/text-field.tsx';

/** How many entries are shown at once. */
const PORTION = 100;
/** Fewer are seen at a glance. */
const SEARCHED = 10;

interface TickListProps {
  title: string;
  /** Below the title. */
  hint?: ReactNode;
  /** Places of what is shown. */
  places: number[];
  ticked: ReadonlySet<number>;
  children: (place: number) => { label: ReactNode; hint: ReactNode };
  onChange: (ticked: Set<number>) => void;
}

/** Entries to tick, all of them at once too; a long list comes in portions. */
function TickList({ title, hint, places, ticked, children, onChange }: TickListProps) {
  const [shown, setShown] = useState(PORTION);
  const isWhole = places.every((place) => ticked.has(place));
  const all = () => {
    const rest = new Set(ticked);
    for (const place of places)
      if (isWhole) rest.delete(place);
      else rest.add(place);
    onChange(rest);
  };
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-semibold">{title}</legend>
      {hint}
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm" onClick={all}>
          {isWhole ? 'Untick all' : 'Tick all'}
        </Button>
        <span role="status" className="text-muted text-sm">
          {formatNumber(ticked.size)} ticked
        </span>
      </div>
      <ul className="flex max-h-96 flex-col gap-2 overflow-y-auto rounded border bg-sunken p-3">
        {places.slice(0, shown).map((place) => (
          <li key={place}>
            <Checkbox
              {...children(place)}
              className="[overflow-wrap:anywhere]"
              checked={ticked.has(place)}
              onChange={() => onChange(toggled(ticked, place))}
            />
          </li>
        ))}
        {places.length === 0 && <li className="text-muted">Nothing here.</li>}
        {places.length > shown && (
          <li>
            <Button size="sm" onClick={() => setShown(shown + PORTION)}>
              Show more
            </Button>
          </li>
        )}
      </ul>
    </fieldset>
  );
}

interface ConversationChoiceProps {
  conversations: PastConversation[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: Set<number>) => void;
}

/** The conversations of an export, newest first. */
export function ConversationChoice({ conversations, chosen, onChange }: ConversationChoiceProps) {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const places = conversations.flatMap(({ title }, place) => (title.toLowerCase().includes(wanted) ? [place] : []));
  const search = conversations.length > SEARCHED && (
    <TextField label="Search titles" value={words} onChange={(event) => setWords(event.target.value)} />
  );
  return (
    <TickList title="Conversations" hint={search} places={places} ticked={chosen} onChange={onChange}>
      {(place) => {
        const { title, from, messages, branches } = conversations[place] as PastConversation;
        const count = `${formatNumber(messages)} ${messages === 1 ? 'message' : 'messages'}`;
        return {
          label: <SeenName name={title} />,
          hint: [dayOf(from), count, branches ? 'with branches' : ''].filter((part) => part !== '').join(' · '),
        };
      }}
    </TickList>
  );
}

interface FactChoiceProps {
  past: Past;
  /** The conversations that are imported: a fact needs its own. */
  chosen: ReadonlySet<number>;
  facts: ReadonlySet<number>;
  onChange: (facts: Set<number>) => void;
}

/** What the person stated of themselves, each with its sentence; nothing is ticked for them. */
export function FactChoice({ past, chosen, facts, onChange }: FactChoiceProps) {
  const places = past.facts.flatMap(({ conversation }, place) => (chosen.has(conversation) ? [place] : []));
  const ticked = new Set(places.filter((place) => facts.has(place)));
  const hint = (
    <p className="text-muted text-sm">
      These sentences of yours seem to say something lasting. Tick what the agent should know as a fact; nothing else is
      stored as one.
    </p>
  );
  return (
    <TickList title="Facts about you" hint={hint} places={places} ticked={ticked} onChange={onChange}>
      {(place) => {
        const { text, sentence, conversation, timestamp } = past.facts[place] as Past['facts'][number];
        return {
          label: <SeenText text={text} />,
          hint: (
            <>
              “<SeenText text={sentence} />” · <SeenName name={past.conversations[conversation]?.title ?? ''} />,{' '}
              {dayOf(timestamp)}
            </>
          ),
        };
      }}
    </TickList>
  );
}
