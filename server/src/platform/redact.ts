import { parsedJson } from './parsed-json.ts';

const MESSAGE_MAX = 300;
/** Long bodies are cut before the patterns read them. */
const LOOK_AT = 4_000;
/** A shorter piece of a key reveals nothing, and would blank ordinary words. */
const KEY_PIECE = 6;
/** What stands in the place of a secret. */
const GONE = '[redacted]';

/** A long run with a digit in it is not a word. */
const LONG_RUN = /[\w+/=-]{32,}/g;
/** A file's place has short names between its slashes; what a program says is wrong is useless without it. */
const PATH = /^(?:\/[\w-]{1,23})+\/?$/;

const PATTERNS: [RegExp, string][] = [
  [/:\/\/[^\s/@]+@/g, `://${GONE}@`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${GONE}`],
  [/([?&;](?:api[-_]?key|key|token|access[-_]?token|secret|sig|signature|password)=)[^&\s"']+/gi, `$1${GONE}`],
  [/\b((?:api[-_]?key|secret|password|token)["']?\s*[=:]\s*["']?)[^\s"',;}]{6,}/gi, `$1${GONE}`],
  [/\b(?:sk|pk|rk|gsk|xai|ghp|gho|xox[a-z]|AIza|hf)[-_][\w*.…•-]{3,}/gi, GONE],
  [/\bAIza[\w-]{10,}/g, GONE],
  [/(?<![\w-])eyJ[\w-]{5,}\.[\w.-]+/g, GONE],
];

/** One line of at most 300 characters without control characters and without anything that looks like a secret. */
export function redact(message: string, secrets: string[] = []): string {
  const line = message
    .slice(0, LOOK_AT)
    .toWellFormed()
    // Control, format (zero width, direction) and line-separating characters could hide or reorder text.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const withoutKeys = secrets.reduce((text, secret) => blankPieces(text, secret), line);
  const clean = PATTERNS.reduce((text, [pattern, to]) => text.replace(pattern, to), withoutKeys).replace(
    LONG_RUN,
    (run) => (/\d/.test(run) && !PATH.test(run) ? GONE : run),
  );
  const points = Array.from(clean);
  return points.length <= MESSAGE_MAX ? clean : `${points.slice(0, MESSAGE_MAX - 1).join('')}…`;
}

/** Blanks the secret and its pieces, because providers quote the beginning or the end of a key. */
function blankPieces(text: string, secret: string): string {
  if (secret.length < KEY_PIECE) return secret.length < 3 ? text : text.replaceAll(secret, GONE);
  let out = '';
  let at = 0;
  while (at < text.length) {
    let length = 0;
    while (at + length < text.length && secret.includes(text.slice(at, at + length + 1))) length += 1;
    if (length >= KEY_PIECE) {
      out += GONE;
      at += length;
    } else {
      out += text[at];
      at += 1;
    }
  }
  return out;
}

/** The words of a name, however it is written: `newPassword`, `new_password` and `New-Password` are the same. */
const wordsOf = (name: string) =>
  name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
const listOf = (names: string) => names.split(/\s+/u).map((name) => wordsOf(name).join(''));

/** Names of secrets, wherever they are in a name. */
const SECRETS = listOf(
  `password passwd passphrase passcode credential authorization authorisation session-id sess-id api-key access-key private-key secret-key
  signing-key client-secret access-token auth-token refresh-token security-code verification-code recovery-code recovery-phrase seed-phrase
  mnemonic mfa-code two-factor sms-code security-answer magic-link saml-response card-number
  Passwort Kennwort Zugangscode Sicherheitscode mot-de-passe code-d’accès contraseña contrasenya palavra-passe wachtwoord toegangscode lösenord
  passord adgangskode salasana jelszó lozinka zaporka slaptažodis kata-sandi nenosiri mật-khẩu пароль парола κωδικός-πρόσβασης סיסמה סיסמא
  كلمة-المرور كلمة-السر رمز-عبور گذرواژه पासवर्ड कूटशब्द συνθηματικό الرمز-السري পাসওয়ার্ড รหัสผ่าน 密码 密碼 口令 密钥 密鑰 令牌 暗証番号 合言葉 验证码 驗證碼 パスワード トークン 비밀번호 암호 토큰`,
);
/** Names of secrets that are a word of their own: within others they are a keyboard, a passenger or a secretary. */
const SECRET_WORDS = new Set(
  listOf(
    `pass pw pwd pin otp totp cvv cvc key keys auth oauth cookie cookies secret secrets token tokens sid csrf xsrf jwt bearer hmac mfa 2fa cvv2 creds psk assertion geheim
    Schlüssel clé clave chave chiave sleutel senha segredo secreto segreto parola hasło haslo heslo sandi geslo şifre jeton ключ токен секрет`,
  ),
);

/** Written together, as in `githubtoken` and `dbpass`. */
const JOINED = /tokens?$|cookie|secret(?!ar|i)|^(?:user|db|smtp|admin|auth|ssh)(?:pass|pw|pwd|key)$/u;

/** Whether a name is that of a secret, in the major languages: `GITHUB_TOKEN`, `Passwort`. */
export const isSecretName = (name: string): boolean => {
  const words = wordsOf(name);
  return (
    words.some((word) => SECRET_WORDS.has(word) || JOINED.test(word)) ||
    SECRETS.some((secret) => words.join('').includes(secret))
  );
};
/** A longer text is no name. */
const NAME_MAX = 60;
const isSecretField = (name: string, value: unknown) =>
  (isSecretName(name.slice(0, NAME_MAX)) || isSecretName(name.slice(-NAME_MAX))) &&
  !(typeof value === 'number' && /tokens/iu.test(name));
/** Whether a value names a secret: `password`, `#pin` and `Password field`, not `Key West`. */
const namesSecret = (value: unknown) =>
  typeof value === 'string' &&
  value.length <= NAME_MAX &&
  (/[\s/"=:]/u.test(value) ? SECRETS.some((secret) => wordsOf(value).join('').includes(secret)) : isSecretName(value));
const IS_VALUE = /^(?:value|values|val|v|text|content|contents|data|input|body|string|fill|entry|answer|typed)$/iu;

/** A deeper value, and the rest of a longer text, is nothing that people read. */
const DEPTH_MAX = 30;
const PAIRS_LOOK_AT = 1_000;

/**
 * The same value, where nobody else reads a secret: what is named like one in the major languages, in a field, a pair, JSON within a text or a
 * query string, and what looks like one.
 */
export function redactFields(value: unknown, depth = 0): unknown {
  const inside = (inner: unknown) => redactFields(inner, depth + 1);
  if (depth > DEPTH_MAX) return GONE;
  if (typeof value === 'string') return redact(redactJson(value, inside) ?? redactPairs(value.slice(0, PAIRS_LOOK_AT)));
  if (Array.isArray(value)) return value.map((inner, at) => (namesSecret(value[at - 1]) ? GONE : inside(inner)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isPair = entries.some(([name, inner]) => !IS_VALUE.test(name) && namesSecret(inner));
  const isGone = (name: string, inner: unknown) => (isPair && IS_VALUE.test(name)) || isSecretField(name, inner);
  return Object.fromEntries(entries.map(([name, inner]) => [name, isGone(name, inner) ? GONE : inside(inner)]));
}

/** JSON that stands in a text, redacted; undefined when there is none. */
function redactJson(text: string, inside: (value: unknown) => unknown): string | undefined {
  const value = /^\s*["[{]/u.test(text) ? parsedJson(text) : undefined;
  return value === undefined ? undefined : JSON.stringify(inside(value));
}

const VALUE_OF = new Map([
  ['=', /^(?:"[^"]*"?|'[^']*'?|[^\s&;,}<]+)/u],
  // A header or a line.
  [':', /^(?:"[^"]*"?|'[^']*'?|[^\n,}]+)/u],
  ['>', /^[^<]+/u],
]);

/** Blanks what follows the name of a secret: `?pw=…`, `Cookie: …`, `<pin>…`, `mot de passe : …`. */
function redactPairs(text: string): string {
  let out = '';
  let at = 0;
  // Of `=>` and `==` the last.
  for (const { 0: sign, index } of text.matchAll(/[=:>](?![=>])/gu)) {
    const before = text.slice(Math.max(at, index - NAME_MAX), index);
    const [tag] = before.slice(before.lastIndexOf('<') + 1).split(' ', 1);
    if (index < at || !isNamedSecret(sign === '>' && text[index - 1] !== '=' ? (tag ?? '') : before)) continue;
    const rest = text.slice(index + 1).trimStart();
    const [value = ''] = VALUE_OF.get(sign)?.exec(rest) ?? [];
    out += `${text.slice(at, index + 1)}${GONE}`;
    at = text.length - rest.length + value.length;
  }
  return out + text.slice(at);
}

function isNamedSecret(text: string): boolean {
  const words = wordsOf(decoded(text)).slice(-3);
  const last = words.at(-1) ?? '';
  return isSecretName(last) || SECRETS.some((secret) => words.join('').endsWith(secret));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
