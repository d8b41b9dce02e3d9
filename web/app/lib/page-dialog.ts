import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { createShared } from '../ui/shared-value.ts';
import { placeOf } from './navigation-guard.tsx';

/**
 * What a dialog is about, set from anywhere in the workspace; null while it is closed. It belongs to the page and the session that were open
 * then, and closes with them: another page, another session and another person never see it.
 */
export function createPageDialog<T>() {
  const shared = createShared<{ about: T; at: string } | null>(null);
  return {
    /** After a navigation, it belongs to the page that comes, also while the one before is still shown. */
    set: (about: T | null) => shared.set(about === null ? null : { about, at: placeOf(location) }),
    useValue(): T | null {
      const here = placeOf(useLocation());
      useEffect(
        () => () => {
          if (shared.read()?.at === here) shared.set(null);
        },
        [here],
      );
      const now = shared.useValue();
      return now?.at === here ? now.about : null;
    },
  };
}
