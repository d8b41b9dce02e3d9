import { createShared } from '../ui/shared-value.ts';

/** Whether the search is open; set from anywhere on the page. */
export const searchOpen = createShared(false);
