import { expect, test } from 'vitest';
import { type CommandGroup, findCommands } from './commands.ts';

const command = (label: string, keywords: string[] = []) => ({ id: label, label, keywords, run: () => {} });
const groups: CommandGroup[] = [
  { heading: 'This session', commands: [command('Export as Markdown'), command('Archive')] },
  { heading: 'Pages', commands: [command('My Library'), command('Explore Agents')] },
  { heading: 'Agents', only: 'typed', commands: [command('New session with Field Notes', ['agent'])] },
  { heading: 'Recent sessions', only: 'untyped', commands: [command('Libya')] },
];
const labels = (typed: string) => findCommands(groups, typed).map((g) => g.commands.map((c) => c.label));

test('nothing typed shows everything but what there may be hundreds of; a search shows nothing twice', () => {
  expect(labels('  ')).toEqual([['Export as Markdown', 'Archive'], ['My Library', 'Explore Agents'], ['Libya']]);
});

test('finds by beginnings, by letters left out, and by other words; the best group is first', () => {
  expect(labels('lib')).toEqual([['My Library']]);
  expect(labels('explore')[0]).toEqual(['Explore Agents']);
  expect(labels('nswf')[0]).toEqual(['New session with Field Notes']);
  expect(labels('exmark')[0]).toEqual(['Export as Markdown']);
  expect(labels('zzz')).toEqual([]);
});

test('letters that happen to follow each other find nothing', () => {
  expect(labels('trains')).toEqual([]);
  expect(labels('nora')).toEqual([]);
});
