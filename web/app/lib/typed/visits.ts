import { attempt, type KeyValue } from './words.ts';

/** How long words wait in the browser after a sign-in has ended by itself, in milliseconds. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** In the storage of all tabs, the visit; in each tab's own, the id of the visit that its words belong to. `public/contact-form.js` uses it too. */
export const VISIT = 'typed-by';

/** From a sign-in to the next sign-out on purpose, however many sign-ins end by themselves in between. */
export interface Visit {
  id: string;
  uid: string;
  /** When it was noticed that the sign-in had ended. */
  endedAt?: number;
}

/** Which visit goes on in this browser. A tab that slept through its end can tell, and so can one where two people took turns. */
export function createVisits(shared: KeyValue | null, own: KeyValue | null, now: () => number) {
  let shown: Visit | null = null;
  const mark = () => attempt(() => own?.getItem(VISIT)) ?? null;
  return {
    /** The visit whose words this page shows. */
    shown: () => shown,
    show(next: Visit | null) {
      shown = next;
    },
    /** The visit that goes on; as this page knows it, where the browser keeps nothing. */
    read(): Visit | null {
      const text = shared === null ? undefined : attempt(() => shared.getItem(VISIT));
      return text === undefined ? shown : parseVisit(text);
    },
    save(next: Visit) {
      shown = next;
      attempt(() => shared?.setItem(VISIT, JSON.stringify(next)));
    },
    isTooOld: ({ endedAt }: Visit) => endedAt !== undefined && endedAt + KEPT_MS <= now(),
    /** Whether the tab's own words belong to another visit. A tab without a mark has none. */
    isOfAnother: ({ id }: Visit) => mark() !== null && mark() !== id,
    join: ({ id }: Visit) => void attempt(() => own?.setItem(VISIT, id)),
    leaveTab: () => void attempt(() => own?.removeItem(VISIT)),
    remove: () => void attempt(() => shared?.removeItem(VISIT)),
  };
}

function parseVisit(text: string | null): Visit | null {
  const value: unknown = attempt(() => JSON.parse(text ?? 'null'));
  return isVisit(value) ? value : null;
}

const isVisit = (it: unknown): it is Visit =>
  typeof it === 'object' && it !== null && 'id' in it && 'uid' in it && typeof it.uid === 'string';
