import { announcementCalls } from '@atelier/contract/operator/announcement';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { callQuery, keys } from './query.ts';

const PLACE = 'announcement-line';
const CLOSED = 'announcement';

/**
 * Inline in every page's head: hides the announcement that the reader has closed, before the first paint, and closes it; pages without the
 * application need no more. The line's own style is for the page that names it.
 */
export const announcementScript = `(()=>{const d=document.documentElement.dataset;try{d.closedAnnouncement=localStorage.getItem('${CLOSED}')||''}catch{}addEventListener('click',e=>{const id=e.target.closest?.('[data-announcement]')?.dataset.announcement;if(!id)return;d.closedAnnouncement=id;try{localStorage.setItem('${CLOSED}',id)}catch{}})})()`;

/** Where the server writes the operator's announcement into the page; the application keeps what is in it. */
export const AnnouncementPlace = () => (
  <div id={PLACE} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
);

// No document is there when a page is written at build time.
const placeOf = () => globalThis.document?.getElementById(PLACE) ?? null;
const shownId = () => placeOf()?.querySelector('button')?.dataset.announcement;
const shown = () => {
  const id = shownId();
  return { announcement: id === undefined ? null : { id, html: '' } };
};

/** Shows in an open page what is announced or taken back meanwhile. Nothing moves until the reader goes to another page. */
export function AnnouncementNews() {
  const { key } = useLocation();
  const { data } = useQuery({ ...callQuery(keys.announcement, announcementCalls.read), initialData: shown });
  const { announcement } = data;
  useEffect(() => {
    const place = placeOf();
    if (place === null) return;
    place.toggleAttribute('data-over', false);
    if (place.hasAttribute('data-withdrawn')) place.replaceChildren();
    place.toggleAttribute('data-withdrawn', false);
  }, [key]);
  useEffect(() => {
    const place = placeOf();
    if (place === null) return;
    place.toggleAttribute('data-withdrawn', announcement === null && shownId() !== undefined);
    if (announcement === null || announcement.id === shownId()) return;
    // Over the page, where there was none: what is read would move.
    if (shownId() === undefined) place.toggleAttribute('data-over', true);
    // Screen readers read what changes in what was a status before.
    place.role = 'status';
    const timer = setTimeout(() => (place.innerHTML = announcement.html), 100);
    return () => clearTimeout(timer);
  }, [announcement]);
  return null;
}
