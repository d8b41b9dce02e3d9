import { HARMLESS } from './odd-streams.ts';
import { chunk, stream, type WireReply } from './openai-wire.ts';

/** How a model asks for the tool `clock`; what it is called with; the answer, which comes after whatever was said. */
type OddCall = [name: string, inputs: unknown[], ...says: WireReply[]];

const UTC = { zone: 'UTC' };
const JSON_UTC = '{"zone":"UTC"}';
const asks = (...calls: object[]): WireReply =>
  stream(...calls.map((call) => chunk({ tool_calls: [call] })), chunk({}, 'tool_calls'), '[DONE]');
const call = (args: unknown, more: object = {}) => ({
  index: 0,
  id: 'a',
  type: 'function',
  function: { name: 'clock', arguments: args },
  ...more,
});
const piece = (args: string, more: object = {}) => ({ index: 0, function: { arguments: args }, ...more });

export const ODD_CALLS: readonly OddCall[] = [
  ['arguments in pieces, as documented', [UTC], asks(call(''), piece('{"zone":'), piece('"UTC"}'))],
  ['arguments that are an object', [UTC], asks(call(UTC))],
  ['arguments that are null', [{}], asks(call(null))],
  ['arguments that are missing', [{}], asks(call(undefined))],
  ['arguments that are empty', [{}], asks(call(''))],
  ['arguments that say null', [{}], asks(call('null'))],
  ['JSON within JSON', [UTC], asks(call(JSON.stringify(JSON_UTC)))],
  ['an empty object before the pieces', [UTC], asks(call('{}'), piece(JSON_UTC))],
  ['no index', [UTC], asks(call('', { index: undefined }), piece(JSON_UTC, { index: undefined }))],
  ['an index that is a text', [UTC], asks(call('', { index: '0' }), piece(JSON_UTC, { index: '0' }))],
  ['two whole calls in the same place', [UTC, {}], asks(call(JSON_UTC), call('{}', { id: 'b' }))],
  ['two whole calls without ids', [UTC, {}], asks(call(JSON_UTC, { id: null }), call('{}', { id: undefined }))],
  [
    'two calls in turns',
    [UTC, {}],
    asks(call(''), call('', { index: 1, id: 'b' }), piece('{}', { index: 1 }), piece(JSON_UTC)),
  ],
  ['an id that is a number, or empty', [UTC, {}], asks(call(JSON_UTC, { id: 7 }), call('{}', { index: 1, id: '' }))],
  ['another id with each piece', [UTC], asks(call('{"zone":'), piece('"UTC"}', { id: 'b' }))],
  ['id and name with each piece', [UTC], asks(call('{"zone":'), call('"UTC"}'))],
  ['no type', [UTC], asks(call(JSON_UTC, { type: undefined }))],
  ['a call that is no list', [UTC], stream(chunk({ tool_calls: call(JSON_UTC) }), chunk({}, 'tool_calls'))],
  ['a call without a function around it', [UTC], asks({ id: 'a', name: 'clock', arguments: JSON_UTC })],
  [
    'the older function_call',
    [UTC],
    stream(chunk({ function_call: { name: 'clock', arguments: JSON_UTC } }), chunk({}, 'function_call')),
  ],
  ['the reason stop', [UTC], stream(chunk({ tool_calls: [call(JSON_UTC)] }), chunk({}, 'stop'), '[DONE]')],
  ['[DONE] without a reason', [UTC], stream(chunk({ content: null, tool_calls: [call(JSON_UTC)] }), '[DONE]')],
  ['everything in one event', [UTC], stream(chunk({ tool_calls: [call(JSON_UTC)] }, 'tool_calls'))],
  [
    'a whole answer',
    [UTC],
    { body: { choices: [{ message: { content: null, tool_calls: [call(UTC)] }, finish_reason: 'tool_calls' }] } },
  ],
  ...HARMLESS.slice(0, 14).map(
    ([name, , answer]): OddCall => [
      `after the tool ran: ${name}`,
      [UTC],
      asks(call(JSON_UTC)),
      ...(answer ? [answer] : []),
    ],
  ),
];
