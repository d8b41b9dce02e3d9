import { join } from 'node:path';
import { defineConfig } from 'oxlint';

const atMost = (max: number): ['error', object] => ['error', { max, skipBlankLines: true, skipComments: true }];

const TESTS = ['**/*.test.ts', '**/*.test.tsx', 'server/src/testing/**', 'e2e/**'];
const TOOLS = ['server/src/{main,admin,backup,restore,go-back,move}.ts', 'scripts/**', 'bench/**', '**/*.config.ts'];

/** Not yet in every browser that the README names. */
const TOO_NEW = [
  { object: 'URL', property: 'parse', message: 'Ask URL.canParse first.' },
  { object: 'document', property: 'startViewTransition' },
];
/** Not in pages that come by plain http from another machine. */
const HTTPS_ONLY = [{ object: 'crypto', property: 'randomUUID', message: 'Use freshId.' }];

/** Who may import what is one table, `scripts/import-rules.ts`. */
export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'node'],
  jsPlugins: [join(import.meta.dirname, 'scripts/lint-rules.ts')],
  categories: { correctness: 'error' },
  ignorePatterns: ['**/node_modules', 'web/build', 'web/.react-router', 'server/migrations', 'data'],
  rules: {
    'atelier/import-direction': 'error',
    'atelier/folder-size': 'error',
    'atelier/no-string-table': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': 'error',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    'jsx-a11y/no-noninteractive-element-interactions': 'off',
    'react/immutability': 'off',
    'react/refs': 'off',
    'react/set-state-in-effect': 'off',
    'unicorn/no-invalid-fetch-options': 'off',
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-console': 'off',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'max-lines': atMost(300),
    'max-lines-per-function': atMost(50),
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'node/no-process-env': 'error',
  },
  overrides: [
    { files: ['web/**/*.tsx'], rules: { 'max-lines-per-function': atMost(80) } },
    // Of what comes from the browser itself; the language's own parts are those of `lib` in web/tsconfig.json.
    {
      files: ['web/app/**', 'contract/**'],
      rules: { 'no-restricted-properties': ['error', ...TOO_NEW, ...HTTPS_ONLY] },
    },
    { files: TESTS, rules: { 'max-lines-per-function': 'off' } },
    // Its one importer wants all of the contract.
    { files: ['server/src/operations/contracts.ts'], rules: { 'oxc/no-barrel-file': 'off' } },
    { files: ['e2e/**'], rules: { 'no-empty-pattern': 'off', 'react/rules-of-hooks': 'off' } },
    { files: [...TOOLS, ...TESTS], rules: { 'node/no-process-env': 'off', 'atelier/no-string-table': 'off' } },
  ],
});
