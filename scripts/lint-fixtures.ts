import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';

/**
 * Proves that each lint rule of ours bites. Every folder of `lint-fixtures` mirrors the repository's paths and holds one
 * file, whose first line says what the linter must find there: `// expect: RULE` or `// expect: RULE, part of its message`;
 * `// expect: nothing` must pass.
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

function onlyFile(folder: string): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const [file] = names;
  if (file === undefined || names.length !== 1) throw new Error(`${folder} must hold exactly one file`);
  return join(file.parentPath, file.name);
}

function complaint(name: string, found: Finding[]): string | undefined {
  const { rule, message = '' } = EXPECT.exec(readFileSync(onlyFile(join(fixtures, name)), 'utf8'))?.groups ?? {};
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

/** The rules of our own are one plugin for all copies, so they name it by its whole path. */
const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8').replace('"./scripts/', `"${root}/scripts/`);
const copies = mkdtempSync(join(tmpdir(), 'atelier-lint-'));
try {
  const names = readdirSync(fixtures);
  for (const name of names) {
    cpSync(join(fixtures, name), join(copies, name), { recursive: true });
    writeFileSync(join(copies, name, '.oxlintrc.json'), config);
  }
  const findings = lint(copies);
  const of = (name: string) => findings.filter(({ filename }) => filename.split(sep).includes(name));
  const complaints = names.flatMap((name) => complaint(name, of(name)) ?? []);
  console.log(complaints.length === 0 ? `${names.length} fixtures, each as expected` : complaints.join('\n'));
  process.exitCode = complaints.length === 0 ? 0 : 1;
} finally {
  rmSync(copies, { recursive: true, force: true });
}
