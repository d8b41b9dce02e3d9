import { expect, it } from 'vitest';
import { testsBeside } from './changed.ts';

it.each([
  [
    'server/src/features/runs/engine/log.ts',
    ['server/src/features/runs/', 'web/app/features/runs/', 'contract/src/runs.'],
  ],
  [
    'contract/src/agent-file.ts',
    ['server/src/features/agent-file/', 'web/app/features/agent-file/', 'contract/src/agent-file.'],
  ],
  ['server/src/platform/mail/mail.ts', ['server/src/platform/mail/']],
  ['server/src/config.ts', ['server/src/config.']],
  ['vitest.config.ts', []],
  ['README.md', []],
  ['e2e/memory.spec.ts', []],
])('a change of %s is tried by %j', (file, places) => expect(testsBeside([file])).toEqual(places));
