import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../server/src/testing/lifetimes.ts';

const ROOT = join(import.meta.dirname, '..');
const SERVER = 'server/src/features';
const WEB = 'web/app/features';
const UPWARDS = 'nothing imports upwards';
const OTHERS_TABLE = "Another feature's table";
const WEB_NOT_SERVER = 'The web imports the contract only';

/** What a file may not import, and what is said of it. */
const IMPORTS: [file: string, specifier: string, message: string][] = [
  ['contract/src/agents.ts', 'hono', 'The contract imports zod only'],
  ['server/src/access.ts', './features/agents/agents.service.ts', 'access imports platform only'],
  ['server/src/app.ts', './main.ts', UPWARDS],
  ['server/src/platform/live.ts', '../access.ts', 'platform imports no features'],
  ['server/src/platform/live.ts', '../features/agents/agents.service.ts', 'platform imports no features'],
  [`${SERVER}/agents/agents.queries.ts`, '../runs/runs.queries.ts', 'may import the *.table only'],
  [`${SERVER}/agents/agents.routes.ts`, './agents.service', 'end in .ts'],
  [`${SERVER}/agents/agents.routes.ts`, 'drizzle-orm', 'touch the database'],
  [`${SERVER}/agents/agents.routes.ts`, '../../../../web/app/lib/http.ts', 'The server never imports the web'],
  [`${SERVER}/agents/agents.service.ts`, '../../app.ts', UPWARDS],
  [`${SERVER}/agents/agents.service.ts`, 'better-auth', 'Only accounts and platform'],
  [`${SERVER}/agents/agents.service.ts`, '../runs/runs.routes.ts', 'call the *.service only'],
  [`${SERVER}/agents/agents.service.ts`, './agents.utils.ts', 'name the file by feature and role'],
  [`${SERVER}/agents/agents.service.ts`, '../../testing/harness.ts', 'does not import test code'],
  [`${SERVER}/agents/agents.service.ts`, '../runs/runs.table.ts', OTHERS_TABLE],
  [`${SERVER}/memory/forget.service.ts`, '../runs/runs.service.ts', 'Features form no circle'],
  [`${SERVER}/runs/runs.service.ts`, 'ai', 'Only platform touches SDKs'],
  [`${SERVER}/runs/engine/finish.service.ts`, '../../memory/memory.queries.ts', 'call the *.service only'],
  [`${SERVER}/runs/engine/finish.service.ts`, '../../memory/memory.table.ts', OTHERS_TABLE],
  ['web/app/lib/http.ts', '@atelier/server/features/agents/agents.service', WEB_NOT_SERVER],
  ['web/app/lib/http.ts', 'type @atelier/server/features/agents/agents.service', WEB_NOT_SERVER],
  ['web/app/lib/query.ts', '../features/agents/agents.api.ts', UPWARDS],
  ['web/app/ui/agent-mark.tsx', '@atelier/contract/agents', 'ui knows no data'],
  ['web/app/ui/button.tsx', '../lib/http.ts', 'ui knows no data'],
  ['web/app/ui/overlay/dialog.tsx', '../../features/agents/agent-form.tsx', 'ui knows no data'],
  [`${WEB}/agents/agent-form.tsx`, '../../pages/runtime.tsx', UPWARDS],
  [`${WEB}/agents/agent-form.tsx`, '../sessions/session-list.tsx', "Web features don't import each other"],
  [`${WEB}/runs/exchange/exchange.tsx`, '../../sessions/session-list.tsx', "Web features don't import each other"],
  ['web/app/pages/runtime.tsx', '../ui/button', 'end in .ts'],
  ['web/app/pages/runtime.tsx', './library.tsx', UPWARDS],
  ['web/app/pages/runtime.tsx', '../../../server/src/access.ts', WEB_NOT_SERVER],
];

/** What a file may import. */
const ALLOWED: [file: string, ...specifiers: string[]][] = [
  [
    `${SERVER}/sessions/sessions.service.ts`,
    'type @atelier/contract/agents',
    'drizzle-orm',
    '../../access.ts',
    '../../platform/errors.ts',
    '../agents/agents.service.ts',
    'type ../agents/agents.table.ts',
    './sessions.table.ts',
  ],
  [
    `${SERVER}/runs/engine/finish.service.ts`,
    'drizzle-orm',
    '../../../platform/errors.ts',
    '../../memory/index/store.service.ts',
    'type ../../memory/memory.table.ts',
    '../runs.table.ts',
  ],
  [`${SERVER}/sessions/sessions.table.ts`, 'drizzle-orm/pg-core', '../agents/agents.table.ts'],
  [`${SERVER}/agents/agents.test.ts`, 'drizzle-orm', 'vitest', '../../testing/harness.ts', '../runs/runs.table.ts'],
  [
    'web/app/pages/runtime.tsx',
    'type @atelier/server/features/agents/agents.routes',
    '../features/agents/agent-form.tsx',
    '../lib/http.ts',
    '../ui/button.tsx',
  ],
  [`${WEB}/runs/exchange/exchange.tsx`, '../../../lib/http.ts', '../../../ui/button.tsx', '../answer/answer-text.tsx'],
];

/** What is said of each of some files, and of none of the copies that are put beside the first. */
type Fixture = [rule: string, message: string, files: Record<string, string>, copies?: number];
const NOTHING = '';

const inFile = (rule: string, file: string, text: string, message = ''): Fixture => [rule, message, { [file]: text }];
const SERVICE = `${SERVER}/agents/agents.service.ts`;
const STRING_TABLES = `const WORDS: Readonly<Record<string, string>> = { yes: 'oui' };
const SIZES: Record<'small' | 'large', number> = { small: 1, large: 2 };

export const wordFor = (word: string): string | undefined => WORDS[word];
export const sizeOf = (size: keyof typeof SIZES): number => SIZES[size];`;
const FUNCTION_OF_50 = `export function long(x: number) {\n${many(48, 'x += #;')}\nreturn x;\n}`;
const COMPONENT_OF_80 = `export function Long({ x }: { x: number }) {\n${many(78, 'x += #;')}\nreturn <p>{x}</p>;\n}`;
const USED = 'export const used = 1;';

const TEXTS: Fixture[] = [
  inFile(NOTHING, `${SERVER}/agents/agents.test.ts`, 'export const url = process.env.TEST_DATABASE_URL;'),
  inFile('node(no-process-env)', `${SERVER}/runs/runs.service.ts`, 'export const key = process.env.OPENAI_API_KEY;'),
  inFile('unicorn(filename-case)', `${SERVER}/agents/agentRoutes.ts`, USED),
  inFile('typescript(no-explicit-any)', SERVICE, 'export const used: any = 1;'),
  inFile('typescript(ban-ts-comment)', SERVICE, "// @ts-ignore\nexport const used: number = 'one';"),
  inFile('oxc(no-barrel-file)', 'web/app/ui/everything.ts', "export * from './button.tsx';"),
  inFile(
    'atelier(import-direction)',
    'web/app/pages/runtime.tsx',
    "export const fetchPage = () => import('./library.tsx');",
    UPWARDS,
  ),
  [
    'import(no-cycle)',
    '',
    {
      'contract/src/agents.ts': "import type { B } from './sessions.ts';\n\nexport type A = B[];",
      'contract/src/sessions.ts': "import type { C } from './runs.ts';\n\nexport type B = C[];",
      'contract/src/runs.ts': "import type { A } from './agents.ts';\n\nexport type C = { all: A };",
    },
  ],
  inFile('atelier(no-string-table)', 'server/src/platform/words.ts', STRING_TABLES, 'Look up strings in a Map'),
  inFile('eslint(no-restricted-properties)', 'web/app/ui/id.ts', 'export const id = crypto.randomUUID();', 'freshId'),
  inFile('eslint(max-lines)', SERVICE, many(301, 'export const line# = #;')),
  inFile('eslint(max-lines-per-function)', SERVICE, FUNCTION_OF_50),
  inFile('eslint(max-lines-per-function)', 'web/app/ui/long.tsx', COMPONENT_OF_80),
  ['atelier(folder-size)', 'holds 26 files', { 'server/src/platform/bounds.ts': USED }, 25],
  [NOTHING, '', { 'server/src/platform/bounds.ts': USED, 'server/src/platform/bounds.test.ts': USED }, 24],
];

const FIXTURES: Fixture[] = [
  ...IMPORTS.map(([file, what, message]) => inFile('atelier(import-direction)', file, importing(what), message)),
  ...ALLOWED.map(([file, ...specifiers]) => inFile(NOTHING, file, importing(...specifiers))),
  ...TEXTS,
];

function many(count: number, line: string): string {
  return Array.from({ length: count }, (_, i) => line.replaceAll('#', String(i))).join('\n');
}

function importing(...specifiers: string[]): string {
  const lines = specifiers.map((specifier, i) => {
    const [path = '', onlyTypes] = specifier.split(' ').reverse();
    return onlyTypes === undefined
      ? `import { used${i} } from '${path}';\nexport const exported${i} = used${i};`
      : `import type { Used${i} } from '${path}';\nexport type Exported${i} = Used${i};`;
  });
  return lines.join('\n');
}

interface Finding {
  code: string;
  message: string;
  help?: string;
  filename: string;
}

const { folder } = temporaryFolder('lint');

/** Each fixture in a folder that mirrors the repository's paths, all of them in one run. */
function lint(): Finding[] {
  const config = `export { default } from ${JSON.stringify(join(ROOT, 'oxlint.config.ts'))};\n`;
  for (const [at, [, , files, copies = 0]] of FIXTURES.entries()) {
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(folder, String(at), file)), { recursive: true });
      writeFileSync(join(folder, String(at), file), `${text}\n`);
    };
    write('oxlint.config.ts', config);
    for (const [file, text] of Object.entries(files)) write(file, text);
    const [beside = ''] = Object.keys(files);
    for (let i = 0; i < copies; i += 1) write(join(dirname(beside), `copy-${i}.ts`), 'export const used = 1;');
  }
  const bin = join(ROOT, 'node_modules', '.bin', 'oxlint');
  const { stdout, stderr } = spawnSync(bin, ['--format=json'], { cwd: folder, encoding: 'utf8' });
  if (!stdout.startsWith('{')) throw new Error(`oxlint said: ${stdout}${stderr}`);
  return (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics;
}

const findings = lint();
const rows = FIXTURES.map(([rule, message, files], at) => ({ rule, message, at, paths: Object.keys(files) }));

it.each(rows)('$paths.0: $rule $message', ({ rule, message, at, paths }) => {
  const found = findings.filter(({ filename }) => filename.startsWith(`${at}/`));
  expect(found.map(({ filename }) => filename.slice(`${at}/`.length)).sort()).toEqual(
    rule === NOTHING ? [] : paths.sort(),
  );
  for (const { code, message: said, help = '' } of found) {
    expect(code).toBe(rule);
    expect(`${said} ${help}`).toContain(message);
  }
});
