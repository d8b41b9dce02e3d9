import type { Session } from '@atelier/contract/sessions';

/** A session for tests. */
export const session = (id: string, over: Partial<Session> = {}): Session => ({
  id,
  name: `Session: ${id}`,
  createdAt: '2026-01-01T00:00:00.000Z',
  agentId: 'field-notes',
  agentName: 'Field Notes',
  agentDeleted: false,
  pinned: false,
  archived: false,
  folderId: null,
  ...over,
});
