// expect: nothing
import { eq } from 'drizzle-orm';
import { test } from 'vitest';
import { testApp } from '../../testing/harness.ts';
import { runs } from '../runs/runs.table.ts';

test('imports what it needs', () => [eq, testApp, runs, process.env.TEST_DATABASE_URL]);
