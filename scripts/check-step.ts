import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Outcome extends Counts {
  output: string;
  /** What the machine lacks for this step, and how to get it. */
  missing?: string;
  /** A sentence about a part that this machine can't run, and how to get it. */
  partMissing?: string;
}

const running = new Set<ChildProcess>();

/** Ends every program that a step is still running. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGTERM');
}

interface Run {
  code: number;
  output: string;
}

/** npm installs a program beside the root's packages or beside those of the workspace that needs it. */
function pathOf(program: string): string {
  if (program === 'node') return process.execPath;
  const folders = [root, ...['web', 'server'].map((workspace) => join(root, workspace))];
  const paths = folders.map((folder) => join(folder, 'node_modules', '.bin', program));
  return paths.find((path) => existsSync(path)) ?? program;
}

/** Runs an installed program (or `node`) to its end and collects its output. */
export function runProgram(program: string, args: string[], env: Record<string, string> = {}): Promise<Run> {
  return new Promise((done) => {
    const child = spawn(pathOf(program), args, {
      cwd: root,
      env: { ...process.env, ...env, FORCE_COLOR: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => keep(Buffer.from(error.message)));
    child.once('close', (code) => {
      running.delete(child);
      done({ code: code ?? 1, output });
    });
  });
}

/** A step that only passes or fails counts as one. */
export const verdict = ({ code, output }: Run): Outcome => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  skipped: 0,
  output,
});

/** A step that this machine can't run. On a CI machine, that is a failure. */
export const missing = (advice: string): Outcome =>
  process.env.CI === undefined || process.env.CI === ''
    ? { passed: 0, failed: 0, skipped: 1, output: '', missing: advice }
    : { passed: 0, failed: 1, skipped: 0, output: advice };

/** The counts of a runner; one that failed without naming a failed test counts as one failure. */
export function counted({ code, output }: Run, report: string, read: (json: unknown) => Counts): Outcome {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0, output: `${output}\nIt left no report.` };
  const counts = read(JSON.parse(readFileSync(report, 'utf8')));
  return { ...counts, failed: code === 0 ? counts.failed : Math.max(counts.failed, 1), output };
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/** Counts of Vitest's JSON report. A file that could not be loaded is one failure. */
export function readVitest(json: unknown): Counts {
  const report = json as VitestReport;
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts of Playwright's JSON report. A journey that passed only when repeated has failed. */
export function readPlaywright(json: unknown): Counts {
  const { stats, errors } = json as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    errors: unknown[];
  };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}
