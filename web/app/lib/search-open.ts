import { createShared } from '../ui/shared-value.ts';

const open = createShared(false);

/** Opens or closes the search, from anywhere on the page. */
export const setSearchOpen = open.set;

/** Whether the search is open. */
export const useSearchOpen = open.useValue;
