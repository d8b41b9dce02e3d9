import { createHighlighterCore, type ThemedToken } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

/** Each language is a separate file, loaded when an answer first uses it. */
const LANGUAGES = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
} as const;
type Language = keyof typeof LANGUAGES;

const ALIASES = new Map<string, Language>([
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['zsh', 'bash'],
  ['js', 'javascript'],
  ['mjs', 'javascript'],
  ['jsx', 'tsx'],
  ['ts', 'typescript'],
  ['py', 'python'],
  ['rs', 'rust'],
  ['md', 'markdown'],
  ['yml', 'yaml'],
  ['htm', 'html'],
  ['xml', 'html'],
]);

/** Above this, colours cost more than they help. */
const MAX_CHARACTERS = 20_000;

const highlighter = createHighlighterCore({
  themes: [import('shiki/themes/github-light-high-contrast.mjs'), import('shiki/themes/github-dark-high-contrast.mjs')],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name);

/** Lines of coloured tokens with styles for both schemes, or null for an unsupported language. */
export async function highlight(code: string, language: string): Promise<ThemedToken[][] | null> {
  const name = ALIASES.get(language.toLowerCase()) ?? language.toLowerCase();
  if (!isLanguage(name) || code.length > MAX_CHARACTERS) return null;
  const shiki = await highlighter;
  await shiki.loadLanguage(LANGUAGES[name]());
  const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' };
  return shiki.codeToTokens(code, { lang: name, themes, defaultColor: 'light-dark()' }).tokens;
}
