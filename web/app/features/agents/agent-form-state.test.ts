import type { Agent } from '@atelier/contract/agents';
import { describe, expect, test } from 'vitest';
import { bodyOf, checkForm, fieldOf, firstError, formOf } from './agent-form-state.ts';

const agent: Agent = {
  id: 'field-notes',
  name: 'Field Notes',
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
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

test('the blank form holds the defaults of the product', () => {
  expect(formOf()).toEqual({
    name: '',
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
  const { name, prompt, model, tags, tools, temperature, memoryEnabled, starters, isPublic } = agent;
  expect(bodyOf(formOf(agent), true)).toEqual({
    name,
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
  expect(bodyOf({ ...formOf(), tags: ' Travel, ,NOTES,travel,' }, false).tags).toEqual(['travel', 'notes']);
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
    expect(firstError(errors)).toBe('name');
  });

  test('one over-long tag is an error of the tags', () => {
    expect(checkForm({ ...formOf(agent), tags: 'x'.repeat(41) }, true)).toEqual({
      tags: 'A tag can have at most 40 characters.',
    });
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
