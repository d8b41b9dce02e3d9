import { defaultFilter } from 'cmdk';

/** Something that the palette does. */
export interface Command {
  id: string;
  label: string;
  /** Says more about it, after the label. */
  aside?: string;
  /** Other words that find it. */
  keywords?: readonly string[];
  /** The key that does it without the palette. */
  shortcut?: string;
  run: () => void;
}

export interface CommandGroup {
  heading: string;
  commands: readonly Command[];
  /** Shown only once something is typed: there may be hundreds. Or only until then: a search finds them better. */
  only?: 'typed' | 'untyped';
}

/** Weaker matches are letters that happen to follow each other. */
const LEAST = 0.05;
/** As many of one group as can be read at a glance. */
const MOST = 8;

/** The groups that fit what is typed, with the best of each first; those that need no words while nothing is typed. */
export function findCommands(groups: readonly CommandGroup[], typed: string): CommandGroup[] {
  const words = typed.trim();
  const matches = groups.map((group) => {
    if (group.only === (words === '' ? 'typed' : 'untyped')) return { ...group, best: 0, commands: [] };
    if (words === '') return { ...group, best: 0 };
    const scored = group.commands
      .map((command) => ({ command, score: defaultFilter?.(command.label, words, [...(command.keywords ?? [])]) ?? 0 }))
      .filter(({ score }) => score >= LEAST)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST);
    return { ...group, best: scored[0]?.score ?? 0, commands: scored.map(({ command }) => command) };
  });
  return matches.filter(({ commands }) => commands.length > 0).toSorted((a, b) => b.best - a.best);
}
