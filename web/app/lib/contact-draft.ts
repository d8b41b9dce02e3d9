/** Where this tab keeps the contact form's draft; `public/contact-form.js` reads and writes it. */
export const CONTACT_DRAFT = 'draft:contact';

/** Deletes the draft before another person signs in at this tab. */
export function forgetContactDraft(): void {
  try {
    sessionStorage.removeItem(CONTACT_DRAFT);
  } catch {
    // If nothing can be stored, there is no draft.
  }
}
