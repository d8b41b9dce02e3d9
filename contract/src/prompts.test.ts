import { expect, test } from 'vitest';
import { fillVariables, promptCreate, variablesOf } from './prompts.ts';

test('variables are what stands between double braces, each once and in order', () => {
  expect(variablesOf('Write to {{ name }} about {{subject}}, dear {{name}}.')).toEqual(['name', 'subject']);
  expect(variablesOf('{{}} {{ }} {one} {{a\nb}} {{{x}}} }}{{')).toEqual(['x']);
  expect(variablesOf(`{{${'x'.repeat(41)}}}`)).toEqual([]);
  expect(variablesOf('{{constructor}} {{__proto__}} {{Größe in m²}}')).toEqual([
    'constructor',
    '__proto__',
    'Größe in m²',
  ]);
});

test('values take the places of their variables, and are not read as templates themselves', () => {
  const values = new Map([
    ['name', '{{subject}} $1 $&'],
    ['subject', 'tea'],
  ]);
  expect(fillVariables('To {{ name }}: {{subject}}, {{other}}', values)).toBe('To {{subject}} $1 $&: tea, {{other}}');
});

test('a prompt has a name, some text and at most twenty variables', () => {
  const text = (n: number) => Array.from({ length: n }, (_, i) => `{{v${i}}}`).join();
  expect(promptCreate.safeParse({ name: ' Letter ', text: text(20) }).data?.name).toBe('Letter');
  expect(promptCreate.safeParse({ name: 'Letter', text: text(21) }).success).toBe(false);
  expect(promptCreate.safeParse({ name: ' ', text: 'x' }).success).toBe(false);
  expect(promptCreate.safeParse({ name: 'x', text: ' \n' }).success).toBe(false);
});
