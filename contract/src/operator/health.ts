import { z } from 'zod';
import { calls, get, under } from '../calls.ts';

export const alive = z.object({ status: z.literal('alive') });
export const ready = z.object({
  status: z.literal('ready'),
  product: z.string(),
  degraded: z.array(z.string()).describe('Parts of the installation that don’t work'),
});

export const healthCalls = calls(under('', { who: 'public' }), {
  alive: get('/healthz', 'isAlive', 'Answers while the process runs.', { answer: alive }),
  ready: get('/readyz', 'isReady', 'Answers while the server can serve.', { answer: ready }),
  metrics: get('/metrics', 'readMetrics', 'Figures of this process for Prometheus.', {
    answer: { type: 'text/plain' },
    fails: ['forbidden'],
  }),
});
