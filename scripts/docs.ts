// `npm run docs`: writes what is documented from the source: docs/configuration.md and .env.example, from the server's variables.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedVariables, type VariableDescription as Variable } from '../server/src/environment.ts';

const groups = describedVariables();

/** The names of all variables. */
export const names = groups.flatMap(({ variables }) => variables.map(({ name }) => name));

const INTRODUCTION = `# Configuration

Every setting is an environment variable, and all are optional. \`npm start\`, \`npm run dev\` and \`npm run admin\` also read the file \`.env\` in the
root of the tree, one \`NAME=value\` a line; what the environment already has wins. Start from a copy of [.env.example](../.env.example). A
[release](install.md#a-release-folder) reads the environment only, for example systemd's \`EnvironmentFile\`; or \`node --env-file=FILE server.js\`.

An invalid value stops the start with a sentence that names the variable. \`npm run docs\` writes this page from
\`server/src/variables.ts\`; change it there.
`;

/** The text of docs/configuration.md. */
export function configurationPage(): string {
  const row = ({ name, meaning, value, inWords }: Variable) =>
    `| \`${name}\` | ${inWords || (value === '' ? '' : `\`${value}\``)} | ${meaning} |`;
  const tables = groups.map(
    ({ title, variables }) =>
      `\n## ${title}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${variables.map(row).join('\n')}\n`,
  );
  return INTRODUCTION + tables.join('');
}

/** A sentence as comment lines of at most 100 characters beside the mark. */
const comment = (text: string) => text.replaceAll(/(.{1,100})(?: |$)/gu, '# $1\n').trimEnd();

/** The text of .env.example: every variable with its default, commented out. */
export function exampleSettings(): string {
  const plain = (text: string) =>
    text.replaceAll(/\[(?<words>[^\]]+)\]\((?<page>[^)]+)\)/gu, '$1 (docs/$2)').replaceAll('`', '');
  const entry = ({ name, meaning, value, inWords }: Variable) => {
    const otherwise = inWords === '' ? '' : ` (default: ${inWords})`;
    return `${comment(plain(`${meaning}${otherwise}.`))}\n#${name}=${value}\n`;
  };
  const parts = groups.map(({ title, variables }) => `\n## ${title}\n\n${variables.map(entry).join('\n')}`);
  return `# Settings of npm start, npm run dev and npm run admin: copy this file to .env and remove the # before a line. docs/configuration.md\n# has the same as a table. Written by npm run docs.\n${parts.join('')}`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  writeFileSync(join(root, 'docs', 'configuration.md'), configurationPage());
  writeFileSync(join(root, '.env.example'), exampleSettings());
}
