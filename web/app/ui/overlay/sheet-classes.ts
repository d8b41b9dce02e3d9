import { classes } from '../classes.ts';

/** The sheet of every dialog: centred, at the bottom on phones, scrolling inside. */
export const sheetClass = classes(
  'fixed z-50 flex max-h-[calc(100dvh-2rem)] flex-col overflow-hidden border border-line bg-raised text-ink shadow-raised',
  'inset-x-0 bottom-0 rounded-t-lg animate-rise',
  'sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-[calc(100vw-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg',
);
/** As high as the sheets: what opens later dims what is open already, such as a form below a question. */
export const overlayClass = 'fixed inset-0 z-50 animate-fade bg-black/45';
