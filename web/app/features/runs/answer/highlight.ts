import { createHighlighterCore, type ThemedToken } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

/** By the ending of their files. Each language is a separate file, loaded when an answer first uses it. */
const LANGUAGES = {
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  js: () => import('shiki/langs/js.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  md: () => import('shiki/langs/md.mjs'),
  py: () => import('shiki/langs/py.mjs'),
  rs: () => import('shiki/langs/rs.mjs'),
  sh: () => import('shiki/langs/sh.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  ts: () => import('shiki/langs/ts.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
} as const;

/** Above this, colours cost more than they help. */
const MAX_CHARACTERS = 20_000;

const highlighter = createHighlighterCore({
  themes: [import('shiki/themes/github-light-high-contrast.mjs'), import('shiki/themes/github-dark-high-contrast.mjs')],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

const isLanguage = (ending: string): ending is keyof typeof LANGUAGES => Object.hasOwn(LANGUAGES, ending);

/** Lines of coloured tokens with styles for both schemes, or null for an unsupported language. */
export async function highlight(code: string, ending: string): Promise<ThemedToken[][] | null> {
  if (!isLanguage(ending) || code.length > MAX_CHARACTERS) return null;
  const shiki = await highlighter;
  await shiki.loadLanguage(LANGUAGES[ending]());
  const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' };
  return shiki.codeToTokens(code, { lang: ending, themes, defaultColor: 'light-dark()' }).tokens;
}
