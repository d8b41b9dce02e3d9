import type { FakeOpenAI } from '../../server/src/testing/fake-openai.ts';
import type { TemporaryPostgres } from '../postgres.ts';
import type { makeDisk } from './disk.ts';
import type { Server } from './server.ts';
import type { Writer } from './writer.ts';

export type Kind = 'embedded' | 'postgres';

export interface Scene {
  kind: Kind;
  server: Server;
  writers: Writer[];
  provider: FakeOpenAI;
  postgres: TemporaryPostgres | undefined;
  disk: ReturnType<typeof makeDisk> | undefined;
  /** The data folder. */
  folder: string;
  awayMs: number;
  /** How often a process is killed. */
  kills: number;
}
