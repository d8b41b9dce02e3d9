/** An answer, byte for byte as a test gives it; an object is sent as JSON. */
export interface WireReply {
  status?: number;
  headers?: Record<string, string>;
  body: string | object;
  /** Breaks the connection after the body. */
  breaks?: boolean;
}

/** Server-sent events, one for each value; a text is sent as it is. */
export const sse = (...events: (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
export const stream = (...events: (object | string)[]): WireReply => ({ body: sse(...events) });

/** A chunk of chat completions. */
export const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-fake',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
/** A chunk of the answer's words. */
export const say = (content: unknown, reason?: string) => chunk({ content }, reason);
/** How a server that does as OpenAI does ends its answer. */
export const END = [chunk({}, 'stop'), '[DONE]'] as const;

/** A whole streamed answer of a server that does as OpenAI does. */
export const spoken = (text: string, reason = 'stop'): string =>
  sse(chunk({ role: 'assistant', content: text }), chunk({}, reason), '[DONE]');
