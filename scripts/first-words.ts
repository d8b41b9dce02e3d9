import { join } from 'node:path';
import { rolldown } from 'rolldown';

const parts = join(import.meta.dirname, '..', 'web', 'app', 'pages', 'shared-parts');

/** Compiles what shows a shared conversation before the application has loaded, to be written into its page. */
export async function compileFirstWords(): Promise<string> {
  const bundle = await rolldown({
    input: join(parts, 'first-words.tsx'),
    platform: 'browser',
    transform: { jsx: { runtime: 'automatic', development: false } },
    // Schemas that share a file with what is used.
    treeshake: { moduleSideEffects: false, manualPureFunctions: ['z'] },
    resolve: { alias: { 'react/jsx-runtime': join(parts, 'jsx-elements.ts') } },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code.trim();
}
