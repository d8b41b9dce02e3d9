import type { Task } from '@atelier/contract/runs';
import { expect, it } from 'vitest';
import { exchangeText, sessionHeading } from './session-export.service.ts';

const task = (over: Partial<Task>): Task => ({
  id: 't',
  sessionId: 's',
  parentId: null,
  siblings: ['t'],
  timestamp: '2026-11-23T07:05:00.000Z',
  agentName: 'Field Notes',
  inputText: 'Hello',
  message: 'Hi',
  seq: 1,
  status: 'done',
  model: 'gpt-4',
  memoryUsed: [],
  toolCalls: [],
  usage: null,
  ...over,
});

it('begins with what the session is, on lines that format nothing', () => {
  const session = {
    id: 's',
    name: 'Trip *to*\n# Norway',
    createdAt: '2026-11-01T10:00:00.000Z',
    agentId: 'a',
    agentName: 'Field Notes',
    agentDeleted: true,
    pinned: false,
    archived: false,
    folderId: 'f',
  };
  expect(sessionHeading(session, 'Trips', new Date('2026-11-23T07:05:00Z'))).toBe(
    [
      '# Trip \\*to\\* \\# Norway',
      '',
      '- Agent: Field Notes (deleted)',
      '- Started: 2026-11-01 10:00 UTC',
      '- Folder: Trips',
      '- Exported: 2026-11-23 07:05 UTC',
      '',
    ].join('\n'),
  );
});

it('quotes the person and gives the answer as it is', () => {
  expect(exchangeText(task({ inputText: '# One\r\n\r\n```js', message: '- a\n- b\n' }), 2)).toBe(
    '\n---\n\n## 2. 2026-11-23 07:05 UTC\n\n**You**\n\n> # One\n>\n> ```js\n\n**Field Notes** (gpt-4)\n\n- a\n- b\n',
  );
});

it('closes what an answer left open', () => {
  const text = (message: string) => exchangeText(task({ message }), 1);
  expect(text('```js\nlet a')).toContain('```js\nlet a\n```\n');
  expect(text('~~~~\n```\n~~~')).toContain('~~~~\n```\n~~~\n~~~~\n');
  expect(text('```js\n<!-- kept\n```\n<!-- open\n<script>\n<b>')).toContain(
    '<!-- kept\n```\n\\<!-- open\n\\<script>\n<b>',
  );
});

it('says how an unfinished answer ended', () => {
  expect(exchangeText(task({ status: 'cancelled', message: 'Hi' }), 1)).toContain('Hi\n\n*The answer was stopped.*');
  expect(exchangeText(task({ status: 'failed', message: '', error: 'No model.' }), 1)).toContain('*No model.*');
});
