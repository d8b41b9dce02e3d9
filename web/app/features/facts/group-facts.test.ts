import type { Fact } from '@atelier/contract/facts';
import { expect, it } from 'vitest';
import { groupFacts } from './group-facts.ts';

const fact = (id: string, about: string, more: Partial<Fact> = {}): Fact => ({
  id,
  agentId: 'notes',
  agentName: 'Notes',
  text: id,
  about,
  source: { memoryId: 'm', sessionId: 's', sessionName: 'S', timestamp: '2026-01-01T00:00:00.000Z' },
  pinned: false,
  corrected: false,
  ...more,
});

it('groups by agent and subject, the person first', () => {
  const groups = groupFacts([
    fact('1', 'Nora'),
    fact('2', 'Shared'),
    fact('3', 'You'),
    fact('4', 'Biscuit', { agentId: 'cook', agentName: 'Cook' }),
    fact('5', 'Ana'),
  ]);
  expect(groups.map(({ agentName }) => agentName)).toEqual(['Notes', 'Cook']);
  expect(groups[0]?.subjects.map(({ about }) => about)).toEqual(['You', 'Shared', 'Ana', 'Nora']);
});

it('puts replaced facts under the one that holds, and a lonely one by itself', () => {
  const [group] = groupFacts([
    fact('porto', 'You'),
    fact('lisbon', 'You', { replacedBy: 'porto' }),
    fact('faro', 'You', { replacedBy: 'lisbon' }),
    fact('left', 'You', { replacedBy: 'not listed' }),
  ]);
  const shown = group?.subjects[0]?.facts.map((one) => [one.fact.id, one.replaced.map(({ id }) => id)]);
  expect(shown).toEqual([
    ['porto', ['lisbon', 'faro']],
    ['left', []],
  ]);
});

it('ends on facts that replace each other', () => {
  const circle = [fact('a', 'You', { replacedBy: 'b' }), fact('b', 'You', { replacedBy: 'a' })];
  expect(groupFacts(circle).flatMap(({ subjects }) => subjects).length).toBeLessThanOrEqual(1);
});
