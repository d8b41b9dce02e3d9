import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Deps } from './deps.ts';

/** This process's own figures, in Prometheus' text format. */
export interface Metrics {
  /** Times every request by method, route and status. */
  readonly middleware: MiddlewareHandler;
  readonly contentType: string;
  /** Adds a figure that is read each time. */
  add(name: string, help: string, read: () => number | Promise<number>): void;
  text(): Promise<string>;
}

/** Each app has its own registry, so that several in one process (in tests) don't share figures. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  let collects = false;
  // From the first reading on: for the delays of the event loop a timer wakes the process a hundred times a second.
  const collectDefaults = () => {
    if (!collects) collectDefaultMetrics({ register: registry });
    collects = true;
  };
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the answer began, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  return {
    middleware: async (c, next) => {
      const end = seconds.startTimer();
      await next();
      // The route's pattern, not the address: each id would become a series.
      const route = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'pages';
      end({ method: c.req.method, route, status: c.res.status });
    },
    contentType: registry.contentType,
    add: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    },
    text: () => {
      collectDefaults();
      return registry.metrics();
    },
  };
}

/**
 * Whether a request may read the metrics, which reveal how a server is used: with METRICS_TOKEN as bearer token or, without one, only from
 * this machine.
 */
export function mayReadMetrics({ config, trust }: Pick<Deps, 'config' | 'trust'>, c: Context): boolean {
  if (config.METRICS_TOKEN === undefined) return trust.refusal() === null;
  return isToken(config.METRICS_TOKEN, c.req.header('authorization'));
}

/** Compares hashes, so that timing reveals nothing about the token. */
function isToken(token: string, authorization = ''): boolean {
  const [actual, wanted] = [authorization, `Bearer ${token}`].map((text) => createHash('sha256').update(text).digest());
  return actual !== undefined && wanted !== undefined && timingSafeEqual(actual, wanted);
}
