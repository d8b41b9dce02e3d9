import { z } from 'zod';

export const RUN_CHANNEL = 'atelier_run';

/** The run channel: events were appended (`e`), a task ended (`d`), somebody asks to stop one (`c`). */
export const runNotice = z.object({
  /** The sender; it has told its own followers already. */
  p: z.string(),
  e: z.array(z.tuple([z.string(), z.string()])).optional(),
  d: z.array(z.tuple([z.string(), z.string()])).optional(),
  c: z.array(z.string()).optional(),
});
export type RunNotice = z.infer<typeof runNotice>;
