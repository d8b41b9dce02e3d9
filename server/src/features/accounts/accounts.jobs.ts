import type { Deps } from '../../platform/deps.ts';
import { ACCOUNT_MAIL_QUEUE, ACCOUNT_MAIL_RETRIES, deliverMail } from './accounts.mail.service.ts';
import { ACTIVITY_QUEUE, forgetOldActivity } from './activity/activity.service.ts';
import { erasePhoto, fetchPicture, PHOTO_ERASE_QUEUE, PICTURE_QUEUE } from './photos/photos.service.ts';
import { endSuspension, SUSPENSION_QUEUE } from './suspension/suspension.service.ts';

/** Registers the work on accounts. Mails to people go several at once, so that a slow one holds up nobody. Call once, before the jobs start. */
export function registerAccountJobs(deps: Deps): void {
  const deliver = ({ mailId }: { mailId: string }) => deliverMail(deps, mailId);
  deps.jobs.handle(ACCOUNT_MAIL_QUEUE, deliver, { retryLimit: ACCOUNT_MAIL_RETRIES, atOnce: 4 });
  deps.jobs.handle(PICTURE_QUEUE, ({ userId }: { userId: string }) => fetchPicture(deps, userId));
  deps.jobs.handle(SUSPENSION_QUEUE, (account: { userId: string }) => endSuspension(deps, account));
  deps.jobs.handle(ACTIVITY_QUEUE, () => forgetOldActivity(deps), { cron: '*/30 * * * *' });
  deps.jobs.handle(PHOTO_ERASE_QUEUE, (photo: { userId: string; file: string }) => erasePhoto(deps, photo), {
    retryLimit: 12,
  });
}
