import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { LocalTrust } from './http/local-trust.ts';
import { requestOrigin } from './http/request-origin.ts';
import type { Log } from './log.ts';

/** Values of our own, of the configuration or of a provider, never a person's: each becomes a series. */
type Labels = Readonly<Record<string, string>>;

/** One of several figures of a name. */
export interface Figure {
  labels: Labels;
  value: number;
}

/** This process's own figures, in Prometheus' text format. */
export type Metrics = ReturnType<typeof createMetrics>;

/** How long a reading waits for a database that is away. */
const READ_MS = 1_000;

type Reading = [name: string, help: string, read: () => Promise<number | Figure[]>, labelNames?: string[]];

function addGauge(registry: Registry, ...[name, help, read, labelNames = []]: Reading): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const late = pause(READ_MS, [], { ref: false });
      const figures = await Promise.race([read(), late]).catch(() => []);
      this.reset();
      if (labelNames.length === 0) this.remove();
      for (const { labels, value } of typeof figures === 'number' ? [{ labels: {}, value: figures }] : figures) {
        this.inc(labels, value);
      }
    },
  });
}

/** Each app has its own registry, so that several in one process (in tests) don't share figures. */
export function createMetrics() {
  const registry = new Registry();
  let collects = false;
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the answer began, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  const counters = new Map<string, Counter>();
  return {
    /** Times every request by method, route and status. */
    middleware: (async (c, next) => {
      const end = seconds.startTimer();
      await next();
      end({ method: c.req.method, route: routeOf(c), status: c.res.status });
    }) satisfies MiddlewareHandler,
    contentType: registry.contentType,
    /** Adds a figure that is read each time, or one for each value of the labels; those with the same are added up. Where it can't be read within a second, it is left out. */
    add: (...reading: Reading): void => addGauge(registry, ...reading),
    /** Counts something that happened, `by` more; the same name always with the same labels. */
    count: (name: string, help: string, labels: Labels, by = 1): void => {
      const counter =
        counters.get(name) ?? new Counter({ name, help, labelNames: Object.keys(labels), registers: [registry] });
      counters.set(name, counter);
      counter.inc(labels, by);
    },
    text: (): Promise<string> => {
      // From the first reading on: for the delays of the event loop a timer wakes the process a hundred times a second.
      if (!collects) collectDefaultMetrics({ register: registry });
      collects = true;
      return registry.metrics();
    },
  };
}

/** The route's pattern, not the address, which has ids and words. */
const routeOf = (c: Context): string => matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'pages';

/** Logs a line for each request when its answer begins. */
export const logsRequests =
  (log: Log): MiddlewareHandler =>
  async (c, next) => {
    const begun = performance.now();
    await next();
    const account = requestOrigin.getStore()?.caller?.uid;
    const ms = Math.round(performance.now() - begun);
    log.info('request', { method: c.req.method, route: routeOf(c), status: c.res.status, ms, account });
  };

interface Guarded {
  config: Pick<Config, 'METRICS_TOKEN'>;
  trust: Pick<LocalTrust, 'refusal'>;
}

/** Whether a request may read the metrics: with METRICS_TOKEN as its bearer token or, without one set, only from this machine. */
export function mayReadMetrics({ config, trust }: Guarded, c: Context): boolean {
  if (config.METRICS_TOKEN === undefined) return trust.refusal() === null;
  return isToken(config.METRICS_TOKEN, c.req.header('authorization'));
}

/** Compares hashes, so that timing reveals nothing about the token. */
function isToken(token: string, authorization = ''): boolean {
  const [actual, wanted] = [authorization, `Bearer ${token}`].map((text) => createHash('sha256').update(text).digest());
  return actual !== undefined && wanted !== undefined && timingSafeEqual(actual, wanted);
}
