import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { VariableValue } from '@atelier/contract/operator/settings-calls';
import { z } from 'zod';
import { VARIABLES } from './variables.ts';

export interface VariableDescription {
  name: string;
  meaning: string;
  /** Its default as it would be written in the environment; empty where there is none. */
  value: string;
  /** A default that is no value, in words. */
  inWords: string;
  /** Nobody is shown its value. */
  isSecret: boolean;
}

const meta = z.object({
  description: z.string(),
  defaultText: z.string().default(''),
  secret: z.boolean().default(false),
});

function describe(name: string, schema: z.ZodType): VariableDescription {
  const { data } = meta.safeParse(z.globalRegistry.get(schema));
  if (data === undefined) throw new Error(`${name} has no description among the variables`);
  const value = schema.safeParse(undefined).data;
  const text = typeof value === 'boolean' ? Number(value) : (value ?? '');
  return {
    name,
    meaning: data.description,
    value: String(text),
    inWords: data.defaultText,
    isSecret: data.secret,
  };
}

/** Every variable by what it is about, as it is documented. */
export const describedVariables = () =>
  Object.entries(VARIABLES).map(([title, shape]) => ({
    title,
    variables: Object.entries(shape).map(([name, schema]) => describe(name, schema)),
  }));

const ENV_FILE = '--env-file=';

/** What the file `.env` says that this process was started with. */
function readEnvFile(): Record<string, string | undefined> {
  const file = process.execArgv.find((option) => option.startsWith(ENV_FILE))?.slice(ENV_FILE.length);
  return file !== undefined && existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

/** Addresses may hold a password, or a key behind their question mark. */
function holdsSecret(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password, search } = new URL(value);
  return username !== '' || password !== '' || search !== '';
}

/** Every variable of the server with its value and where that is from; of secrets only whether they are set. */
export function describeEnvironment(environment: Readonly<Record<string, string | undefined>>): VariableValue[] {
  const file = readEnvFile();
  return describedVariables().flatMap(({ title, variables }) =>
    variables.map(({ name, value, inWords, isSecret: isAlways }) => {
      const set = environment[name] ?? '';
      const isSecret = isAlways || holdsSecret(set);
      const unset = { value: inWords.replaceAll('`', '') || value || null, from: 'default' as const };
      const from = file[name] === set ? ('file' as const) : ('environment' as const);
      return { name, group: title, ...(set === '' ? unset : { value: isSecret ? null : set, from }), isSecret };
    }),
  );
}
