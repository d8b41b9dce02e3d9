import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What this process counts of itself, in Prometheus' text format. */
export interface Metrics {
  /** Times every request by method, route and status. */
  readonly middleware: MiddlewareHandler;
  readonly contentType: string;
  text(): Promise<string>;
}

/** A registry of its own for each app, so that several in one process (in tests) don't share figures. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
      // The route's pattern, not the address: ids would make a series of each.
      const route = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'pages';
      end({ method: c.req.method, route, status: c.res.status });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
