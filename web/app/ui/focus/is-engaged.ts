/** A field; a menu or popover, by what Radix puts around them; and the button of one that is about to open. */
const ENGAGING = 'input, textarea, select, [data-radix-popper-content-wrapper], [aria-haspopup][aria-expanded=true]';

/** It holds the focus for as long as it fades. */
const CLOSING = '[role=dialog][data-state=closed]';

/** Whether somebody is at something that would suffer if what appears by itself took the focus: words would go elsewhere, a menu would close. */
export function isEngaged(): boolean {
  const active = document.activeElement;
  return active !== null && active.closest(ENGAGING) !== null && active.closest(CLOSING) === null;
}
