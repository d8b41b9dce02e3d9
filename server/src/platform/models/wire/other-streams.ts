import { createParser } from 'eventsource-parser';
import { isRecord, parsedJson } from '../../parsed-json.ts';
import { explainFailure } from '../explain-failure.ts';

/** The events that Anthropic documents; it says that there may be more, to be ignored. Google's have no type. */
const TYPES = new Set<unknown>([
  undefined,
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
  'error',
]);

/**
 * The stream of Anthropic or Google for their SDKs, which end an answer at the first event that they don't know: such events are left out,
 * and an error comes as the last event, also one that is the whole body. `onFailure` gets it as it is.
 */
export function withoutForeign(onFailure: (error: unknown) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const lines: string[] = [];
  let out = '';
  const put = (value: unknown) => {
    if (!isRecord(value) || !TYPES.has(value.type)) return;
    if (isRecord(value.error)) onFailure(explainFailure(value.error, []));
    out += `data: ${JSON.stringify(value)}\n\n`;
  };
  const parser = createParser({
    onEvent: ({ data }) => put(parsedJson(data)),
    onError: ({ type, line = '' }) => void (type === 'unknown-field' && lines.push(line)),
  });
  const read = (text: string, controller: TransformStreamDefaultController<Uint8Array>) => {
    parser.feed(text);
    if (out !== '') controller.enqueue(encoder.encode(out));
    out = '';
  };
  return new TransformStream({
    transform: (bytes, controller) => read(decoder.decode(bytes, { stream: true }), controller),
    flush: (controller) => {
      read('\n\n', controller);
      const whole = parsedJson(lines.join('\n'));
      put(Array.isArray(whole) ? whole[0] : whole);
      read('', controller);
    },
  });
}
