import { createInterface } from 'node:readline/promises';
import type { Config } from './config.ts';
import { countSince } from './features/operator/backup.service.ts';
import { findWay, follow, keepsJobs, type Way } from './platform/backup/go-back.ts';
import { holdDatabase } from './platform/backup/hold-database.ts';
import { runCommand, say } from './platform/backup/operator-terminal.ts';
import { changeRecord, readRecord } from './platform/database/record.ts';
import { chooseFolder } from './platform/private-folder.ts';

const USAGE = `Usage:
  npm run go-back              takes the last upgrade back: restores the backup from before it, and keeps what there is now as another one
  npm run go-back -- --undo    restores what was written after that upgrade, in the same way
  npm run go-back -- --forget  lets this version upgrade the database again, after an upgrade was taken back
With --yes nothing is asked.`;

async function confirm(isAgreed: boolean): Promise<void> {
  if (isAgreed) return;
  if (!process.stdin.isTTY) throw new Error('Nothing was changed. Say that you agree: --yes');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question('Type yes to go on: ');
  lines.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new Error('Nothing was changed.');
}

const leadsTo = ({ kind, upgrade }: Way) =>
  kind === 'back'
    ? `The upgrade by ${upgrade.migrations.join(', ')} at ${upgrade.at} is taken back.`
    : `The state after the upgrade by ${upgrade.migrations.join(', ')} comes back.`;

async function go(config: Config, kind: Way['kind'], isAgreed: boolean): Promise<void> {
  const source = await holdDatabase(config);
  try {
    const way = await findWay(config, source.database, kind);
    const written = await countSince(source.database, way.since);
    say(leadsTo(way));
    say(
      written.length > 0
        ? `Written since ${way.since}, and then only in a backup: ${written.join(', ')}.`
        : `Since ${way.since} nothing was written.`,
    );
    if (!keepsJobs(way))
      say(
        'That version has another job queue: what waits in it, such as mail to send, is lost, also what waited then.',
      );
    await confirm(isAgreed);
    const backup = await follow(config, source, way);
    say(`Done. What there was until now is in ${backup}. Uploaded files stay as they are.`);
    if (kind === 'forward') return say('Start this version: npm start');
    const { from } = way.upgrade;
    // Versions from before deletions were noted don't record who they are either.
    if (!from.startsWith('version ')) say('It is too old to know what people have deleted since: that is back.');
    const [, commit] = /, commit (\w+)/u.exec(from) ?? [];
    say(
      `Start ${from} now${commit === undefined ? '' : `: git checkout ${commit}`}. This version refuses the database.`,
    );
    say('To upgrade again: npm run go-back -- --forget. To have the newer state again: npm run go-back -- --undo');
  } finally {
    await source.release();
  }
}

async function forget(config: Config): Promise<void> {
  const source = await holdDatabase(config);
  try {
    if ((await readRecord(source.database)).wentBack === undefined) throw new Error('No upgrade was taken back.');
    await changeRecord(source.database, { wentBack: undefined });
    say('The next start upgrades the database again.');
  } finally {
    await source.release();
  }
}

const OPTIONS = { yes: { type: 'boolean' }, undo: { type: 'boolean' }, forget: { type: 'boolean' } } as const;

await runCommand(process.env, OPTIONS, async ({ values, positionals }, settings) => {
  const config = { ...settings, DATA_DIR: chooseFolder(settings) };
  if (positionals.length > 0 || (values.undo === true && values.forget === true)) throw new Error(USAGE);
  if (values.forget === true) return forget(config);
  await go(config, values.undo === true ? 'forward' : 'back', values.yes === true);
});
