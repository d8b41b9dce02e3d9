/** Where this tab keeps what is typed in the contact form; `public/contact-form.js` reads and writes it. */
export const CONTACT_DRAFT = 'draft:contact';

/** Leaves nothing of it to the next person who signs in at this tab. */
export function forgetContactDraft(): void {
  try {
    sessionStorage.removeItem(CONTACT_DRAFT);
  } catch {
    // Where nothing can be stored, nothing was.
  }
}
