import { expect, it } from 'vitest';
import { describeShare } from './share-rows.tsx';

const share = {
  id: '1',
  token: 't',
  sessionId: 's',
  sessionName: 'Kilns',
  agentName: 'Field Notes',
  taskId: null,
  withReceipts: false,
  follows: false,
  exchanges: 3,
  createdAt: '2026-11-23T00:00:00.000Z',
  takenAt: '2026-11-23T00:00:00.000Z',
};

it('says what a link shows', () => {
  expect(describeShare(share)).toBe('The session, 3 exchanges');
  expect(describeShare({ ...share, exchanges: 1, withReceipts: true })).toBe(
    'The session, one exchange · with what the answers used',
  );
  expect(describeShare({ ...share, follows: true, exchanges: null })).toBe('The session, later messages too');
  expect(describeShare({ ...share, taskId: 't1', exchanges: 1 })).toBe('One answer');
});
