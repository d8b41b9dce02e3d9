import { expect, it } from 'vitest';
import { testsBeside } from './changed.ts';

it.each([
  ['server/src/features/runs/engine/log.ts', ['server/src/features/runs/']],
  ['web/app/features/runs/answer/code-block.tsx', ['web/app/features/runs/']],
  ['contract/src/files.ts', ['server/src/features/files/', 'web/app/features/files/', 'contract/src/files.']],
  [
    'contract/src/agents/agent-file.ts',
    [
      'server/src/features/agents/',
      'web/app/features/agents/',
      'server/src/features/transfer/',
      'web/app/features/transfer/',
      'contract/src/agents.',
    ],
  ],
  ['server/src/platform/mail/mail.ts', ['server/src/platform/mail/']],
  ['server/src/config.ts', ['server/src/config.']],
  ['vitest.config.ts', []],
  ['README.md', []],
  ['e2e/memory.spec.ts', []],
])('a change of %s is tried by %j', (file, places) => expect(testsBeside([file])).toEqual(places));
