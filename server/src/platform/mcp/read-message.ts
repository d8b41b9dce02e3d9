import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { isRecord, parsedJson } from '../parsed-json.ts';

/**
 * A server's message as the protocol has it. The library refuses a message as a whole for fields that nobody needs, and then its call would
 * wait for an answer without an end. Null for what is no message.
 */
export function readMessage(value: unknown): JSONRPCMessage | null {
  return JSONRPCMessageSchema.safeParse(value).data ?? JSONRPCMessageSchema.safeParse(repaired(value)).data ?? null;
}

/** The same text, with an odd message in it as the protocol has it. */
export function readMessageText(text: string): string {
  const value = parsedJson(text);
  if (value === undefined || JSONRPCMessageSchema.safeParse(value).success) return text;
  const message = readMessage(value);
  return message === null ? text : JSON.stringify(message);
}

const isNone = (value: unknown) => value === undefined || value === null;

/** Only the fields of the protocol: others may be there, empty ones too. */
function repaired(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { id, method, params, result, error } = value;
  const jsonrpc = '2.0';
  if (typeof method === 'string') {
    return {
      jsonrpc,
      ...(isNone(id) ? {} : { id }),
      method,
      ...(isRecord(params) ? { params: withoutMeta(params) } : {}),
    };
  }
  if (!isNone(error)) return { jsonrpc, id, error: readError(error) };
  if (!('result' in value)) return value;
  // An answer before the protocol's answers were objects had it under this name.
  return { jsonrpc, id, result: isRecord(result) ? withoutMeta(result) : { toolResult: result } };
}

const withoutMeta = ({ _meta, ...rest }: Record<string, unknown>) => (isRecord(_meta) ? { ...rest, _meta } : rest);

function readError(error: unknown) {
  const { code, message = error } = isRecord(error) ? error : {};
  return {
    code: Number.isSafeInteger(Number(code)) && !isNone(code) ? Number(code) : ErrorCode.InternalError,
    message: typeof message === 'string' ? message : 'no reason was given',
  };
}
