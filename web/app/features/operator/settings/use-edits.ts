import type { SettingChanges, SettingKey } from '@atelier/contract/operator/settings';
import { useState } from 'react';
import { type Current, type SettingField, textOf, valueOf } from './setting-fields.ts';

/** What is typed into a field, and what stood there before. */
interface Edit {
  text: string;
  from: string;
}
type Edits = { [K in SettingKey]?: Edit | undefined };

/** What an operator types into some settings. What isn't edited follows the server. */
export function useEdits(fields: readonly SettingField[], current: Current) {
  const [edits, setEdits] = useState<Edits>({});
  const now = (field: SettingField) => textOf(field, current);
  const text = (field: SettingField) => edits[field.key]?.text ?? now(field);
  const edited = fields.filter((field) => text(field) !== now(field));
  /** Edited here, and changed by somebody else since. */
  const contested = edited.filter((field) => edits[field.key]?.from !== now(field));
  const change = (next: (field: SettingField, edit: Edit) => Edit | undefined, some: readonly SettingField[]) => {
    const changed = some.map((field) => {
      const { [field.key]: edit = { text: now(field), from: now(field) } } = edits;
      return [field.key, next(field, edit)] as const;
    });
    setEdits({ ...edits, ...Object.fromEntries(changed) });
  };
  const pick = <Value>(valueFor: (field: SettingField) => Value) =>
    Object.fromEntries(edited.map((field) => [field.key, valueFor(field)]));
  return {
    text,
    edited,
    contested,
    /** The values that are typed, which may be none that can be set. */
    changes: pick((field) => valueOf(field, text(field))) as SettingChanges,
    /** The values that they take the place of. */
    before: pick(({ key }) => current.settings[key]) as SettingChanges,
    type: (field: SettingField, typed: string) =>
      change((_, { from }) => (typed === from ? undefined : { text: typed, from }), [field]),
    keepTyped: () => change((field, edit) => ({ ...edit, from: now(field) }), contested),
    takeTheirs: () => change(() => undefined, contested),
    clear: () => setEdits({}),
    /** What was typed while these were saved stays; it goes on from there. */
    forgetSaved: (stored: Current) =>
      setEdits((latest) => {
        const goOn = edited.map((field) => {
          const typed = latest[field.key]?.text;
          const isSaved = typed === undefined || typed === text(field);
          return [field.key, isSaved ? undefined : { text: typed, from: textOf(field, stored) }] as const;
        });
        return { ...latest, ...Object.fromEntries(goOn) };
      }),
  };
}
