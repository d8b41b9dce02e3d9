import { resolve } from 'node:path';
import { z } from 'zod';

/** The variables that `${NAME}` in the file refers to. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Why an entry is off, in a sentence. */
export class EntryOff extends Error {}

/** Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` by the environment's values. */
export function fillIn(text: string, environment: Environment): string {
  const [begin = '', ...rest] = text.split('${');
  return rest.reduce((filled, piece) => {
    const end = piece.indexOf('}');
    if (end === -1) return `${filled}\${${piece}`;
    const asked = piece.slice(0, end);
    const [name = '', ...fallback] = asked.replace(/^env:/u, '').split(':-');
    const value = (Object.hasOwn(environment, name) ? environment[name] : undefined) || fallback.join(':-');
    if (value === '' && fallback.length === 0) throw new EntryOff(unset(asked, name));
    return filled + value + piece.slice(end + 1);
  }, begin);
}

const unset = (asked: string, name: string) =>
  /^[A-Za-z_]\w*$/u.test(name)
    ? `The environment variable ${name} is not set.`
    : `It needs “\${${asked}}”, which can’t be filled in here. Write the value, or use an environment variable.`;

export type OperatorServer =
  | { command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { url: string; headers: Record<string, string>; transport: 'http' | 'sse' };

const word = z.union([z.string(), z.number(), z.boolean()], 'must be text').transform(String);
const words = z.record(z.string(), word).nullish();
export const entry = z.looseObject({
  type: z.string().nullish(),
  transport: z.string().nullish(),
  command: z.union([z.string().min(1, 'is empty'), z.array(z.string()).min(1)], 'must be text').nullish(),
  args: z.array(word).nullish(),
  env: words,
  environment: words,
  cwd: z.string().nullish(),
  url: z.string().nullish(),
  serverUrl: z.string().nullish(),
  httpUrl: z.string().nullish(),
  headers: words,
  disabled: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
});
type Entry = z.infer<typeof entry>;

/** How to reach the server of an entry. Throws EntryOff. */
export function serverOf(read: Entry, place: Place): OperatorServer {
  const fill = (text: string) => fillIn(text, place.environment);
  const filled = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
  const url = read.url ?? read.serverUrl ?? read.httpUrl ?? undefined;
  const kind = (read.type ?? read.transport ?? '').toLowerCase();
  if (url !== undefined && kind !== 'stdio') {
    const address = URL.parse(fill(url));
    if (address === null || !/^https?:$/.test(address.protocol))
      throw new EntryOff('Its “url” is no address that begins with https:// or http://.');
    return { url: address.href, headers: filled(read.headers ?? {}), transport: kind === 'sse' ? 'sse' : 'http' };
  }
  if (!read.command) throw new EntryOff('It has neither “command” nor “url”.');
  const [command = '', ...begun] = [read.command].flat();
  const cwd = read.cwd ?? undefined;
  return {
    command: fill(command),
    args: [...begun, ...(read.args ?? [])].map(fill),
    env: filled({ ...read.environment, ...read.env }),
    ...(cwd === undefined ? {} : { cwd: resolve(place.folder, fill(cwd)) }),
  };
}

export interface Place {
  environment: Environment;
  folder: string;
}
