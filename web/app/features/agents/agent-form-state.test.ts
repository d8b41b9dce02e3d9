import type { Agent } from '@atelier/contract/agents';
import { describe, expect, test } from 'vitest';
import { bodyOf, changedFields, changesOf, checkForm, fieldOf, formOf, mergeForm } from './agent-form-state.ts';

const agent: Agent = {
  id: 'field-notes',
  name: 'Field Notes',
  description: 'Plans trips',
  prompt: 'You help me plan trips',
  model: 'gpt-3.5-turbo',
  tags: ['travel', 'notes'],
  tools: ['calculator'],
  temperature: 1.2,
  memoryEnabled: false,
  starters: ['Where to?'],
  isPublic: true,
  favoriteCount: 2,
  creatorId: 'u1',
  forkedFrom: null,
  unpublishedReason: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('the blank form holds the defaults of the product', () => {
  expect(formOf()).toEqual({
    name: '',
    description: '',
    prompt: '',
    model: 'gpt-4',
    tags: '',
    tools: [],
    temperature: 0.5,
    memoryEnabled: true,
    starters: [],
    isPublic: false,
  });
});

test('an agent goes through the form unchanged', () => {
  const { name, description, prompt, model, tags, tools, temperature, memoryEnabled, starters, isPublic } = agent;
  expect(bodyOf(formOf(agent), true)).toEqual({
    name,
    description,
    prompt,
    model,
    tags,
    tools,
    temperature,
    memoryEnabled,
    starters,
    isPublic,
  });
});

test('blank starters are not sent', () => {
  expect(bodyOf({ ...formOf(), starters: [' Hello ', ' '] }, false).starters).toEqual(['Hello']);
});

test('tags are split at commas, trimmed, lowercased, and empty ones dropped', () => {
  expect(bodyOf({ ...formOf(), tags: ' Travel, ,NOTES，travel、旅行،سفر' }, false).tags).toEqual([
    'travel',
    'notes',
    '旅行',
    'سفر',
  ]);
});

test('without Pro nothing is published and the tools stay as they are', () => {
  const body = bodyOf(formOf(agent), false);
  expect(body.isPublic).toBe(false);
  expect('tools' in body).toBe(false);
});

describe('checkForm', () => {
  test('name and prompt are required', () => {
    const errors = checkForm({ ...formOf(), name: '  ', prompt: ' ' }, false);
    expect(errors).toEqual({ name: 'Name is required.', prompt: 'Prompt is required.' });
  });

  test('one over-long tag is an error of the tags', () => {
    expect(checkForm({ ...formOf(agent), tags: 'x'.repeat(41) }, true)).toEqual({
      tags: 'A tag can have at most 40 characters.',
    });
  });

  test('a description has a limit, and none is needed', () => {
    expect(checkForm({ ...formOf(agent), description: 'd'.repeat(161) }, true)).toEqual({
      description: 'The description can have at most 160 characters.',
    });
    expect(checkForm({ ...formOf(agent), description: '' }, true)).toEqual({});
  });

  test('a complete form has none', () => {
    expect(checkForm(formOf(agent), true)).toEqual({});
  });
});

test('a path of the server is led to its field', () => {
  expect(fieldOf('tags.3')).toBe('tags');
  expect(fieldOf('somethingElse')).toBeUndefined();
  expect(fieldOf(undefined)).toBeUndefined();
});

describe('a form that is open while the agent changes elsewhere', () => {
  const before = formOf(agent);

  test('shows the new values of what was not touched, and keeps what was typed', () => {
    const typed = { ...before, prompt: 'mine' };
    const now = { ...before, tags: 'theirs', prompt: 'theirs' };
    expect(mergeForm(before, typed, now)).toEqual({ state: { ...now, prompt: 'mine' }, both: ['prompt'] });
  });

  test('finds nothing contested where both came to the same', () => {
    const typed = { ...before, tags: 'Travel,notes, trains,' };
    const now = { ...before, tags: 'travel, notes, trains' };
    expect(mergeForm(before, typed, now).both).toEqual([]);
  });

  test('counts a comma or a blank more as no change', () => {
    expect(
      changedFields(before, { ...before, tags: 'travel, notes, ', name: 'Field Notes ', description: 'Plans trips ' }),
    ).toEqual([]);
  });

  test('sends what was changed and nothing else, and without Pro no tools', () => {
    const typed = { ...before, description: ' mine ', prompt: 'mine', tools: [] };
    expect(changesOf(before, typed, true)).toEqual({ description: 'mine', prompt: 'mine', tools: [] });
    expect(changesOf(before, typed, false)).toEqual({ description: 'mine', prompt: 'mine' });
  });
});
