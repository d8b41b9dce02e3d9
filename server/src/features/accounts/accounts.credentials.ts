import type { PasswordRules } from '@atelier/contract/accounts';
import { userName as nameInBody } from '@atelier/contract/accounts/bodies';
import { SENTENCES } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import type { Config } from '../../config.ts';
import { AppError } from '../../platform/errors.ts';
import { isReadAs } from '../../platform/language/look-alikes.ts';
import { isCommonPassword } from '../../platform/passwords/common-passwords.ts';
import { dropEnd } from '../../platform/trim.ts';

type ConfiguredRules = Pick<Config, Extract<keyof Config, `PASSWORD_${string}`>>;

/** The rules as a sign-up page shows them. */
export const shownRules = (rules: ConfiguredRules): PasswordRules => ({
  min: rules.PASSWORD_MIN,
  max: rules.PASSWORD_MAX,
  lowercase: rules.PASSWORD_LOWERCASE,
  uppercase: rules.PASSWORD_UPPERCASE,
  number: rules.PASSWORD_NUMERIC,
  symbol: rules.PASSWORD_SYMBOL,
  uncommon: rules.PASSWORD_UNCOMMON,
});

export interface Refusal {
  code: string;
  message: string;
  field?: string;
}

/** Throws 403 where nobody signs in with a password. */
export function requirePasswords({ PASSWORDS_OFF }: Pick<Config, 'PASSWORDS_OFF'>): void {
  if (PASSWORDS_OFF) throw new AppError('forbidden', SENTENCES.passwordsOff);
}

const length = (text: string) => [...text].length;

/** Whose password it is, as far as that is known. */
interface PasswordOwner {
  name?: string | undefined;
  email?: string | undefined;
}

/** What people write for letters; `1` stands for two. */
const SWAPPED = new Map(Array.from('@4031!$57', (sign, at) => [sign, 'aaoeiisst'.charAt(at)]));
const withLetters = (word: string, one: string) =>
  word.replaceAll(/[@4031!$57]/gu, (sign) => (sign === '1' ? one : (SWAPPED.get(sign) ?? sign)));

/**
 * Whether a password is among the first that somebody tries: many people use it, or it is a name of its owner or of this product. Compared
 * whole, as NIST SP 800-63B has it: a long sentence may have common words.
 */
export function isGuessedFirst(password: string, { name = '', email = '' }: PasswordOwner = {}): boolean {
  const names = [PRODUCT_NAME, name, email, email.split('@', 1)[0] ?? ''];
  const own = names.map((word) => word.trim().toLowerCase()).filter((word) => word !== '');
  // As it is hashed: other letters for the same password don't make it another one.
  const plain = password.normalize('NFKC').trim().toLowerCase();
  return [plain, dropEnd(plain, /[\d\p{P}\p{S}]/u)]
    .flatMap((word) => [word, withLetters(word, 'i'), withLetters(word, 'l')])
    .some((word) => isCommonPassword(word) || own.includes(word));
}

/** Why a new password is refused, in one sentence; null when it follows the operator's rules. */
export function passwordRefusal(
  rules: ConfiguredRules,
  password: string,
  field = 'password',
  owner: PasswordOwner = {},
): Refusal | null {
  const refuse = (code: string, message: string) => ({ code, message, field });
  const { PASSWORD_MIN: min, PASSWORD_MAX: max } = rules;
  if (length(password) < min) return refuse('PASSWORD_TOO_SHORT', `The password needs at least ${min} characters.`);
  if (length(password) > max) return refuse('PASSWORD_TOO_LONG', `The password can have at most ${max} characters.`);
  const missing = [
    rules.PASSWORD_LOWERCASE && !/\p{Ll}/u.test(password) ? 'a lowercase letter' : '',
    rules.PASSWORD_UPPERCASE && !/\p{Lu}/u.test(password) ? 'an uppercase letter' : '',
    rules.PASSWORD_NUMERIC && !/\p{Nd}/u.test(password) ? 'a number' : '',
    rules.PASSWORD_SYMBOL && !/[^\p{L}\p{N}\s]/u.test(password) ? 'a symbol such as ! or ?' : '',
  ].filter((part) => part !== '');
  if (missing.length > 0) {
    return refuse('PASSWORD_TOO_WEAK', `The password needs ${new Intl.ListFormat('en').format(missing)}.`);
  }
  if (!rules.PASSWORD_UNCOMMON || !isGuessedFirst(password, owner)) return null;
  return refuse('PASSWORD_TOO_COMMON', SENTENCES.passwordCommon);
}

/** Who has one of these beside the product's name would pass for those who run it. */
const OFFICES =
  `account accounts admin administrator admins ai billing bot care customer desk équipe help helpdesk kundendienst moderator no
  notification notifications official operator payment payments reply security service soporte staff suporte support system team the
  verified`.split(/\s+/u);
/** The name without words of office, however many. */
const withoutOffices = (name: string) =>
  name
    .normalize('NFC')
    .split(/[\s\p{P}\p{S}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .filter((word) => !OFFICES.includes(word.toLowerCase()))
    .join(' ');
const RESERVED = [
  PRODUCT_NAME,
  // Written together. Any two signs may stand for a word of two.
  ...OFFICES.filter((of) => of.length > 3).flatMap((of) => [
    PRODUCT_NAME + of,
    of + PRODUCT_NAME,
    `the${PRODUCT_NAME}${of}`,
  ]),
];

/** What others see of a person: nothing that is read as the product's name. */
export const userName = nameInBody.refine(
  (name) => ![name, withoutOffices(name)].some((text) => isReadAs(text, RESERVED)),
  `“${PRODUCT_NAME}” is reserved. Choose another username.`,
);

/** Why a username is refused, in one sentence; null when it may be chosen. */
export function nameRefusal(name: string): Refusal | null {
  const message = userName.safeParse(name).error?.issues[0]?.message;
  return message === undefined ? null : { code: 'VALIDATION_ERROR', message, field: 'name' };
}
