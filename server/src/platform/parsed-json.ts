/** The value of a JSON text; undefined for anything else. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a model's answer, which may have a fence or a sentence around it. */
export const jsonIn = (text: string): unknown => parsedJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));

/** Whether a value is an object with fields: neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
