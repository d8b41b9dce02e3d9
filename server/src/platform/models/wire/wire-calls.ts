import { isRecord, parsedJson } from '../../parsed-json.ts';

/** A call of a tool as a model asked for it. */
export interface WireCall {
  id: string;
  name: string;
  /** JSON, unless the model wrote something else. */
  input: string;
  /** What the provider wants to have back with the call, such as Gemini’s thought signature. */
  extra: Record<string, unknown> | undefined;
}

/** No answer asks for so many. */
const CALLS_MAX = 200;

interface Open extends WireCall {
  place: number | undefined;
}

/**
 * The calls of an answer. OpenAI documents pieces by `index`: the first has id and name, the arguments are a text in pieces. Servers also
 * send the arguments as an object, null or JSON within JSON, a whole call at a time with the index 0 or none, no or another id with each
 * piece, and the older `function_call`.
 */
export class CallCollector {
  readonly #open: Open[] = [];

  take(delta: Record<string, unknown>): void {
    for (const piece of [delta.tool_calls].flat()) if (isRecord(piece)) this.#piece(piece, piece.function ?? piece);
    if (isRecord(delta.function_call)) this.#piece({}, delta.function_call);
  }

  /** Those that have a name. */
  all(): WireCall[] {
    return this.#open
      .filter(({ name }) => name !== '')
      .map(({ id, name, input, extra }, at) => ({ id: id || `call_${at}`, name, input: settled(input), extra }));
  }

  #piece({ index, id: callId, extra_content: extra }: Record<string, unknown>, fields: unknown): void {
    const { name: called, arguments: args } = isRecord(fields) ? fields : {};
    const id = typeof callId === 'string' || typeof callId === 'number' ? String(callId) : '';
    const name = typeof called === 'string' ? called.trim() : '';
    const place = /^\d{1,4}$/u.test(String(index)) ? Number(index) : undefined;
    const last = this.#open.findLast((one) => place === undefined || one.place === place);
    const call = last === undefined || isAnother(last, id, name) ? this.#begin(place) : last;
    if (this.#open.length > CALLS_MAX) return;
    call.id ||= id;
    call.name ||= name;
    call.extra ??= isRecord(extra) ? extra : undefined;
    if (typeof args === 'string') call.input += args;
    else if (args !== undefined && args !== null) call.input = JSON.stringify(args);
  }

  #begin(place: number | undefined): Open {
    const call: Open = { id: '', name: '', input: '', extra: undefined, place };
    if (this.#open.length <= CALLS_MAX) this.#open.push(call);
    return call;
  }
}

/** Whether a piece begins another call: it has a name, and the one before it is complete. */
function isAnother(last: Open, id: string, name: string): boolean {
  if (name === '' || last.name === '' || (id !== '' && id === last.id)) return false;
  const isComplete = last.input.trimEnd().endsWith('}') && parsedJson(last.input) !== undefined;
  return isComplete || (last.input === '' && id !== '' && last.id !== '');
}

/** The arguments as the JSON of an object, as far as they are one. */
function settled(input: string): string {
  const value = parsedJson(input.trim() === '' ? '{}' : input);
  if (value === null) return '{}';
  // JSON within JSON.
  if (typeof value === 'string') return isRecord(parsedJson(value)) ? value : input;
  if (value !== undefined) return input.trim() === '' ? '{}' : input;
  // An empty object that a proxy puts before the pieces.
  const rest = input.trimStart().startsWith('{}') ? parsedJson(input.trimStart().slice(2)) : undefined;
  return isRecord(rest) ? JSON.stringify(rest) : input;
}
