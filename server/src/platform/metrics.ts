import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type Config, LOOPBACK } from '../config.ts';
import { peerAddress } from './client-address.ts';

/** This process's own figures, in Prometheus' text format. */
export interface Metrics {
  /** Times every request by method, route and status. */
  readonly middleware: MiddlewareHandler;
  readonly contentType: string;
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
    text: () => {
      collectDefaults();
      return registry.metrics();
    },
  };
}

/** Headers that proxies add to requests. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether a request may read the metrics, which reveal how a server is used: with METRICS_TOKEN as bearer token or, without one, only from
 * this machine. Behind a proxy on the same machine everyone looks local, so any sign of a proxy denies access.
 */
export function mayReadMetrics(config: Config, c: Context): boolean {
  if (config.METRICS_TOKEN !== undefined) return isToken(config.METRICS_TOKEN, c.req.header('authorization'));
  const names = [config.HOST, peerAddress(c), new URL(c.req.url).hostname];
  if (config.PUBLIC_URL !== undefined) names.push(new URL(config.PUBLIC_URL).hostname);
  const isProxied = config.TRUSTED_PROXIES.length > 0 || PROXY_HEADERS.some((name) => c.req.header(name) !== undefined);
  return !isProxied && names.every((name) => LOOPBACK.has(name));
}

/** Compares hashes, so that timing reveals nothing about the token. */
function isToken(token: string, authorization = ''): boolean {
  const [given, wanted] = [authorization, `Bearer ${token}`].map((text) => createHash('sha256').update(text).digest());
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}
