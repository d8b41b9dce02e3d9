/** A field; a menu or popover, by what Radix puts around them; and the button of one that is about to open. */
const ENGAGING = 'input, textarea, select, [data-radix-popper-content-wrapper], [aria-haspopup][aria-expanded=true]';

/** Whether somebody is at something that would suffer if what appears by itself took the focus: words would go elsewhere, a menu would close. */
export const isEngaged = () => Boolean(document.activeElement?.closest(ENGAGING));
