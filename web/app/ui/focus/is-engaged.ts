/** Whether somebody types in a field or has a menu open: what appears by itself must not take the focus from them, and a menu would close. */
export const isEngaged = () => Boolean(document.activeElement?.closest('input, textarea, select, [role=menu]'));
