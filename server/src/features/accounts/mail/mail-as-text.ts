import { PRODUCT_NAME } from '@atelier/contract/product';
import type { Parts } from './account-mail.ts';

/** Without the display name: somebody could sign up with another's address and put words of theirs into our mail. */
export const GREETING = 'Hello,';

/** A mail as plain text. */
export function asText(parts: Parts): string {
  const facts = parts.facts?.map(([label, value]) => `${label}: ${value}`).join('\n');
  const action = parts.action && `${parts.action.label}:\n${parts.action.url}`;
  return [GREETING, parts.lead, facts, action, ...parts.notes, PRODUCT_NAME]
    .filter((part) => part !== undefined)
    .join('\n\n');
}
