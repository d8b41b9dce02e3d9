const MESSAGE_MAX = 300;
/** Long bodies are cut before the patterns read them. */
const LOOK_AT = 4_000;
/** A shorter piece of a key reveals nothing, and would blank ordinary words. */
const KEY_PIECE = 6;
/** What stands in the place of a secret. */
export const GONE = '[redacted]';

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
