import type { Config } from '../config.ts';
import type { Database, Db } from './database/database.ts';
import type { LocalTrust } from './http/local-trust.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Live } from './live.ts';
import type { Log } from './log.ts';
import type { Mail } from './mail/mail.ts';
import type { Metrics } from './metrics.ts';
import type { Models } from './models/models.ts';
import type { PasswordCost } from './password.ts';
import type { Payments } from './payments/create-payments.ts';
import type { FileStorage } from './storage/storage.ts';

/** Everything a service may use, created once in `main.ts` (or by the test harness) and passed down. */
export interface Deps {
  config: Config;
  database: Database;
  db: Db;
  models: Models;
  payments: Payments;
  mail: Mail;
  live: Live;
  jobs: Jobs;
  storage: FileStorage;
  /** The cost of a new password's hash; tests with a thousand accounts use less. */
  passwordCost: PasswordCost;
  log: Log;
  metrics: Metrics;
  /** Who counts as this machine; everything that is for it alone asks here. */
  trust: LocalTrust;
  /** Identifies this process as the owner of its runs; a fresh UUID at each start. */
  processId: string;
}
