import { createHash } from 'node:crypto';
import { announcementCalls } from '@atelier/contract/operator/announcement';
import { announcementParts, type ServerSettings } from '@atelier/contract/operator/settings';
import type { Deps } from '../../platform/deps.ts';
import { escapeHtml } from '../../platform/http/escape-html.ts';
import { serve } from '../../serve.ts';

/** What the operator has set, as far as it is for everybody. */
export const settingsRoutes = (deps: Deps) =>
  serve(announcementCalls, { read: async () => ({ announcement: await readAnnouncement(deps) }) });

/** What the operator announces, until the end of its last day in UTC; null where that is nothing. */
function announced({ announcement: text, 'announcement-until': until }: ServerSettings, now: Date) {
  return text !== '' && now.toISOString().slice(0, 10) <= until ? { text, until } : null;
}

/** The line as it stands in the page. The style sheet shows it, a script in the page's head closes it, see `web/app/lib/announcement.tsx`. */
function lineOf(id: string, text: string): string {
  const words = announcementParts(text).map((part) =>
    part.isLink
      ? `<a href="${escapeHtml(part.text)}" rel="noopener">${escapeHtml(part.text)}</a>`
      : escapeHtml(part.text),
  );
  return (
    `<style>html[data-closed-announcement="${id}"] #announcement-line{display:none}</style>` +
    `<p dir="auto">${words.join('')}</p>` +
    `<button type="button" data-announcement="${id}" aria-label="Close the announcement"></button>`
  );
}

/** The operator's announcement of today; null without one. */
export async function readAnnouncement(
  { settings }: Pick<Deps, 'settings'>,
  now = new Date(),
): Promise<{ id: string; html: string } | null> {
  const line = announced(await settings.now(), now);
  if (line === null) return null;
  // The end is part of the id: the same text, announced again, is shown to those who closed it.
  const id = createHash('sha256').update(`${line.until} ${line.text}`).digest('hex').slice(0, 12);
  return { id, html: lineOf(id, line.text) };
}
