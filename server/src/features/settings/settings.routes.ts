import { announcementCalls } from '@atelier/contract/operator/announcement';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { readAnnouncement } from './announcement.service.ts';

/** What the operator has set, as far as it is for everybody. */
export const settingsRoutes = (deps: Deps) =>
  serve(announcementCalls, { read: async () => ({ announcement: await readAnnouncement(deps) }) });
