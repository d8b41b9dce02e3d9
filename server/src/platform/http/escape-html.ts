import { html } from 'hono/html';

/** A text as HTML shows it, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string => String(html`${text}`);
