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
