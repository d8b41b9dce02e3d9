import { ANNOUNCEMENT_MAX, type ServerSettings, type SettingKey } from '@atelier/contract/operator/settings';

/** How a setting is changed on the page. */
export interface SettingField {
  key: SettingKey;
  label: string;
  hint?: string;
  /** `list` has commas, `figure` may be empty. */
  kind: 'choice' | 'list' | 'whole' | 'figure' | 'text' | 'day';
  options?: readonly { value: string; label: string }[];
  /** The most letters, or the largest number. */
  max?: number;
}

const PLANS = [
  { value: 'free', label: 'Free' },
  { value: 'pro', label: 'Pro' },
];

export const SIGN_UP: readonly SettingField[] = [
  {
    key: 'sign-up',
    label: 'Who may open an account',
    kind: 'choice',
    options: [
      { value: 'open', label: 'Everybody' },
      { value: 'invitation', label: 'People with an invitation' },
      { value: 'domain', label: 'People with an email of these domains' },
      { value: 'approval', label: 'Everybody, after your approval' },
      { value: 'closed', label: 'Nobody' },
    ],
  },
  {
    key: 'sign-up-domains',
    label: 'Domains of emails',
    hint: 'With commas, such as school.example, lab.school.example',
    kind: 'list',
  },
  { key: 'new-account-plan', label: 'Plan of new accounts', kind: 'choice', options: PLANS },
  {
    key: 'domain-plan',
    label: 'Plan of new accounts of these domains',
    hint: 'From the confirmation of their email on',
    kind: 'choice',
    options: PLANS,
  },
  {
    key: 'member-invitations',
    label: 'Open invitations of each account',
    hint: 'Up to 20. With 0 only you invite, and invitations of others end',
    kind: 'whole',
    max: 20,
  },
  {
    key: 'own-networks',
    label: 'Your own networks',
    hint: 'Addresses or blocks, with commas, from which many may sign up at once',
    kind: 'list',
  },
];

const SCOPES = { account: 'each account', server: 'all accounts' } as const;
const UNITS = { tokens: 'Tokens', cost: 'Money' } as const;

/** The budgets; `currency` is that of money. */
export const budgetFields = (currency: string): readonly SettingField[] =>
  (['account', 'server'] as const).flatMap((scope) =>
    (['day', 'month'] as const).flatMap((period) =>
      (['tokens', 'cost'] as const).map((unit) => ({
        key: `budget-${scope}-${period}-${unit}` as const,
        label: `${UNITS[unit]} of ${SCOPES[scope]} a ${period}${unit === 'cost' ? ` (${currency})` : ''}`,
        kind: 'figure' as const,
      })),
    ),
  );

export const ANNOUNCEMENT: readonly SettingField[] = [
  {
    key: 'announcement',
    label: 'Text',
    hint: `Up to ${ANNOUNCEMENT_MAX} characters, with at most one address such as https://status.example. Empty: no announcement`,
    kind: 'text',
    max: ANNOUNCEMENT_MAX,
  },
  { key: 'announcement-until', label: 'Last day (UTC)', kind: 'day' },
];

/** What binds now, as texts. */
export type Current = { settings: ServerSettings; budgets: Record<string, number> };

/** A setting as its field shows it. */
export function textOf({ key, kind }: SettingField, { settings, budgets }: Current): string {
  if (kind === 'figure') return String(budgets[key] ?? '');
  const value = settings[key];
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

/** The same for people who read it in a sentence. */
export function shownOf(field: SettingField, current: Current): string {
  const text = textOf(field, current);
  return field.options?.find(({ value }) => value === text)?.label ?? (text || 'empty');
}

/** What a field's text stands for; the server says whether it is a value. */
export function valueOf({ kind }: SettingField, text: string): unknown {
  const trimmed = text.trim();
  if (kind === 'figure') return trimmed === '' ? null : Number(trimmed);
  if (kind === 'whole') return trimmed === '' ? Number.NaN : Number(trimmed);
  if (kind !== 'list') return trimmed;
  return trimmed
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
