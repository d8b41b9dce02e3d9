import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/**
 * Proves that each lint rule of ours bites. Every folder of `lint-fixtures` mirrors the repository's paths. The first line
 * of each file says what the linter must find in it: `// expect: RULE` or `// expect: RULE, part of its message`;
 * `// expect: nothing` must pass. A second line `// copies: 25` puts that many more files beside it.
 */
const root = join(import.meta.dirname, '..');
const fixtures = join(import.meta.dirname, 'lint-fixtures');
const EXPECT = /^\/\/ expect: (?<rule>[^,\n]+)(?:, (?<message>.+))?\n/u;

interface Finding {
  code: string;
  message: string;
  help?: string;
  filename: string;
}

function lint(folder: string): Finding[] {
  const bin = join(root, 'node_modules', '.bin', 'oxlint');
  const { stdout, stderr } = spawnSync(bin, ['--format=json'], { cwd: folder, encoding: 'utf8' });
  if (!stdout.startsWith('{')) throw new Error(`oxlint said: ${stdout}${stderr}`);
  return (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function makeCopies(file: string): void {
  const { count = 0 } = /^\/\/ copies: (?<count>\d+)$/mu.exec(readFileSync(file, 'utf8'))?.groups ?? {};
  for (let i = 1; i <= Number(count); i += 1)
    writeFileSync(join(dirname(file), `copy-${i}.ts`), 'export const used = 1;\n');
}

function complaint(name: string, found: Finding[]): string | undefined {
  const { rule, message = '' } = EXPECT.exec(readFileSync(join(fixtures, name), 'utf8'))?.groups ?? {};
  if (rule === undefined) return `${name}: its first line must be "// expect: RULE"`;
  const told = found.map(({ code, message: text, help = '' }) => `${code}: ${text} ${help}`);
  const wanted = rule === 'nothing' ? found.length === 0 : found.length > 0;
  const exact = found.every(
    ({ code, message: text, help = '' }) => code === rule && `${text} ${help}`.includes(message),
  );
  return wanted && exact
    ? undefined
    : `${name}: expected ${rule}${message && `, ${message}`}; got ${told.join(' | ') || 'nothing'}`;
}

const config = `export { default } from ${JSON.stringify(join(root, 'oxlint.config.ts'))};\n`;
const copies = mkdtempSync(join(tmpdir(), 'atelier-lint-'));
try {
  cpSync(fixtures, copies, { recursive: true });
  for (const folder of readdirSync(fixtures)) writeFileSync(join(copies, folder, 'oxlint.config.ts'), config);
  const names = filesIn(fixtures);
  for (const name of names) makeCopies(join(copies, name));
  const findings = lint(copies);
  const of = (name: string) => findings.filter(({ filename }) => filename === name);
  const complaints = names.flatMap((name) => complaint(name, of(name)) ?? []);
  console.log(complaints.length === 0 ? `${names.length} fixtures, each as expected` : complaints.join('\n'));
  process.exitCode = complaints.length === 0 ? 0 : 1;
} finally {
  rmSync(copies, { recursive: true, force: true });
}
