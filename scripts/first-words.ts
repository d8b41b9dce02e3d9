import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const parts = join(import.meta.dirname, '..', 'web', 'app', 'pages', 'shared-parts');

/** The components that an answer may contain are those that need the application. */
const applicationParts: Plugin = {
  name: 'application-parts',
  resolveId: (source, importer) =>
    importer?.endsWith('answer-nodes.tsx') && source.endsWith('.tsx') ? join(parts, 'application-parts.ts') : null,
};

async function compile(file: string, format: 'iife' | 'es', define: Record<string, string> = {}): Promise<string> {
  const elements = join(parts, 'jsx-elements.ts');
  const bundle = await rolldown({
    input: join(parts, file),
    platform: 'browser',
    // The formatter, for the page.
    external: /^\/assets\//u,
    plugins: [applicationParts],
    transform: { jsx: { runtime: 'automatic', development: false }, define },
    // Schemas that share a file with what is used.
    treeshake: { moduleSideEffects: false, manualPureFunctions: ['z'] },
    resolve: { alias: { 'react/jsx-runtime': elements, react: elements } },
  });
  const { output } = await bundle.generate({ format, minify: true });
  await bundle.close();
  return output[0].code.trim();
}

/**
 * Compiles what shows a shared conversation without the application, to be written into its page; what formats answers becomes a file, which
 * that fetches where it is needed.
 */
export async function compileFirstWords(client: string): Promise<string> {
  const formatter = await compile('formatted-words.ts', 'es');
  const src = `/assets/formatted-words-${hash('sha256', formatter, 'hex').slice(0, 8)}.js`;
  writeFileSync(join(client, src), formatter);
  return compile('first-words.tsx', 'iife', { FORMATTER: JSON.stringify(src) });
}
