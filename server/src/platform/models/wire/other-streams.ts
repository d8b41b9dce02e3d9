import { createParser } from 'eventsource-parser';
import { isRecord, parsedJson } from '../../parsed-json.ts';
import { explainFailure } from '../explain-failure.ts';

/** The events that Anthropic documents; it says that there may be more, to be ignored. Google's have no type. */
const TYPES = new Set<unknown>(
  'message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping error'.split(
    ' ',
  ),
);

/**
 * The stream of Anthropic or Google for their SDKs, which end an answer at the first event that they don't know: such events are left out,
 * and an error comes as the last event, also one that is the whole body. `onFailure` gets it as it is.
 */
export const withoutForeign = (
  body: ReadableStream<Uint8Array>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> => ReadableStream.from(knownEvents(body, onFailure)).pipeThrough(new TextEncoderStream());

async function* knownEvents(body: ReadableStream<Uint8Array>, onFailure: (error: unknown) => void) {
  const known: string[] = [];
  const lines: string[] = [];
  const put = (value: unknown) => {
    if (!isRecord(value) || (value.type !== undefined && !TYPES.has(value.type))) return;
    if (isRecord(value.error)) onFailure(explainFailure(value.error, []));
    known.push(`data: ${JSON.stringify(value)}\n\n`);
  };
  const parser = createParser({
    onEvent: ({ data }) => put(parsedJson(data)),
    onError: ({ type, line = '' }) => void (type === 'unknown-field' && lines.push(line)),
  });
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text);
    yield* known.splice(0);
  }
  parser.feed('\n\n');
  const whole = parsedJson(lines.join('\n'));
  put(Array.isArray(whole) ? whole[0] : whole);
  yield* known;
}
