import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';

/** How long the parts of a request may take to arrive, and its answer to be taken. */
interface RequestBounds {
  headersMs: number;
  bodyMs: number;
  /** The least speed of an upload after `bodyMs`: 10 MB may take 11 minutes, a trickle ends like any other request. */
  uploadBytesPerSecond: number;
  /** For how long a reader may take nothing of what waits for it; for up to twice as long when a large write is under way. */
  stalledMs: number;
  /** The least speed of a reader after `stalledMs`, while something waits for it. The slowest mobile network is twice as fast. */
  readBytesPerSecond: number;
}

/** Headers and body together: 30 s. */
export const REQUEST_BOUNDS: RequestBounds = {
  headersMs: 10_000,
  bodyMs: 20_000,
  uploadBytesPerSecond: 16 * 1024,
  stalledMs: 15_000,
  readBytesPerSecond: 4 * 1024,
};

/** Longer than proxies keep an idle connection (nginx 60 s, AWS 60 s): if one side closes it while the other writes, a request is lost. */
const RESTING_MS = 75_000;

/**
 * Server settings that end a connection with 408 when its headers take too long. Node’s own limit for a whole request is off, because it is
 * the same for every route; `endSlowBodies` replaces it. Idle connections between two requests are kept.
 */
export const headerBounds = ({ headersMs }: RequestBounds): ServerOptions => ({
  headersTimeout: headersMs,
  requestTimeout: 0,
  keepAliveTimeout: RESTING_MS,
  connectionsCheckingInterval: Math.min(1_000, headersMs),
});

const REFUSAL = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Ends requests whose body takes too long, with 408. Uploads get more time with each piece that arrives. */
export function endSlowBodies(
  server: EventEmitter,
  bounds: RequestBounds,
  isUpload: (request: IncomingMessage) => boolean,
): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    const begun = performance.now();
    const readBefore = socket.bytesRead;
    const bytesPerMs = isUpload(request) ? bounds.uploadBytesPerSecond / 1_000 : Number.POSITIVE_INFINITY;
    const check = () => {
      if (request.complete) return;
      const allowed = bounds.bodyMs + (socket.bytesRead - readBefore) / bytesPerMs;
      const remaining = begun + allowed - performance.now();
      if (remaining > 0) timer = setTimeout(check, remaining);
      else refuse(request, response);
    };
    let timer = setTimeout(check, bounds.bodyMs);
    request.once('close', () => clearTimeout(timer));
  });
}

/** How often readers are looked at while `stalledMs` pass. */
const LOOKS = 10;

/** Closes connections whose reader doesn't take its answer, so that what it holds is given back. An answer that is still being made has its time. */
export function endSlowReaders(server: EventEmitter, { stalledMs, readBytesPerSecond }: RequestBounds): void {
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const sentBefore = socket.bytesWritten;
    const pause = stalledMs / LOOKS;
    let waited = 0;
    const look = setInterval(() => {
      if (socket.writableLength > 0) waited += pause;
      const allowed = stalledMs + ((socket.bytesWritten - sentBefore) / readBytesPerSecond) * 1_000;
      if (waited > allowed) socket.destroy();
    }, pause);
    // Node tells when nothing moved for this long, also within one large write.
    response.setTimeout(stalledMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    response.once('close', () => clearInterval(look));
  });
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function refuse({ socket }: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent && socket.writable) socket.write(REFUSAL);
  socket.destroySoon();
}
