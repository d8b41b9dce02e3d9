import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from './testing/lifetimes.ts';
import { proWithKey, startForPrograms } from './testing/programs.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const ANSWER = 'Hello from the fake provider.';

/** The examples of the page that are complete, in order. */
const examples = [
  ...readFileSync(join(ROOT, 'docs/api.md'), 'utf8').matchAll(
    /^```(sh|ts|python) run\n([^`]*(?:`[^`\n][^`]*)*)^```$/gmu,
  ),
].map(([, language = '', code = ''], index) => ({ language, code, index }));

let env: NodeJS.ProcessEnv;
const { folder } = temporaryFolder('docs');
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

const at = await startForPrograms();
beforeEach(async () => {
  const { apiKey } = await proWithKey(at.app);
  env = { ...process.env, ATELIER_URL: at.url, ATELIER_KEY: apiKey };
});

const INTERPRETERS = new Map([
  ['sh', ['sh']],
  ['ts', [process.execPath]],
  ['python', ['python3']],
]);

it('has examples in each language', () => {
  expect(examples.map(({ language }) => language)).toEqual(['sh', 'sh', 'sh', 'ts', 'ts', 'python']);
});

it.each(examples)('runs example $index, in $language, as the page has it', async ({ language, code, index }) => {
  const file = join(folder, `example-${index}.${language}`);
  writeFileSync(file, code);
  const [command = ''] = INTERPRETERS.get(language) ?? [];
  const { stdout } = await run(command, [file], { cwd: folder, env });
  // A streamed answer comes in pieces.
  const words = stdout.includes('chat.completion.chunk')
    ? [...stdout.matchAll(/"content":"([^"]*)"/gu)].map(([, piece]) => piece).join('')
    : stdout;
  expect(words).toContain(stdout.includes('"object":"list"') ? '"id":"nora"' : ANSWER);
});
