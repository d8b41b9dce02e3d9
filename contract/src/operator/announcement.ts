import { z } from 'zod';
import { calls, get } from '../calls.ts';

/** The operator's line at the top of every page. */
export const announcement = z.object({
  /** Who has closed this one isn't shown it again. */
  id: z.string(),
  /** As it stands in the page. */
  html: z.string(),
});
/** Null while nothing is announced. */
export const announcementAnswer = z.object({ announcement: announcement.nullable() });

export const announcementCalls = calls('/api/announcement', {
  read: get('', 'getAnnouncement', 'What the operator announces to everybody.', {
    who: 'public',
    answer: announcementAnswer,
  }),
});
