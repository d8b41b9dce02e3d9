import { type ComponentProps, useEffect, useState } from 'react';
import { SelectField } from '../select.tsx';
import { TextField } from '../text-field.tsx';
import { useLatest } from './use-latest.ts';

/** How long the words rest before they count, in milliseconds. */
const REST_MS = 250;
const WORDS_MAX = 500;

export interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  words: string;
  /** What typed words become. */
  clean?: (typed: string) => string;
  onChange: (words: string) => void;
}

/** Filters by words; they count when typing rests. */
export function SearchField({ label, words, clean = (typed) => typed, onChange, ...input }: SearchFieldProps) {
  const [typed, setTyped] = useState(words);
  const [seen, setSeen] = useState(words);
  const [reportedWords, setReportedWords] = useState(words);
  // A link, or the way back, fills the field too; what it told itself must not undo what was typed since.
  if (words !== seen) {
    setSeen(words);
    if (words !== reportedWords) {
      setReportedWords(words);
      setTyped(words);
    }
  }
  const change = useLatest(onChange);
  useEffect(() => {
    if (typed.trim() === reportedWords) return;
    const timer = setTimeout(() => {
      setReportedWords(typed.trim());
      change.current(typed.trim());
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [typed, reportedWords, change]);
  return (
    <TextField
      label={label}
      type="search"
      autoComplete="off"
      maxLength={WORDS_MAX}
      {...input}
      value={typed}
      onChange={(e) => setTyped(clean(e.target.value))}
    />
  );
}

export interface ChoiceFieldProps {
  label: string;
  /** The name of no filter, such as “All agents”; left out where something is always chosen. */
  all?: string;
  choices: readonly { id: string; name: string }[];
  /** The id of the choice; empty without a filter. */
  chosen: string;
  onChange: (id: string) => void;
}

/** Filters by one of a few. */
export function ChoiceField({ label, all, choices, chosen, onChange }: ChoiceFieldProps) {
  return (
    <SelectField
      label={label}
      value={chosen}
      onChange={(e) => onChange(e.target.value)}
      options={[...(all ? [{ id: '', name: all }] : []), ...choices].map(({ id, name }) => ({
        value: id,
        label: name,
      }))}
    />
  );
}
