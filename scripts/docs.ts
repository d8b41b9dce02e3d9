// `npm run docs`: writes what is documented from the source: docs/configuration.md and .env.example, from the server's variables.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage, exampleSettings } from './docs/configuration.ts';

const root = join(import.meta.dirname, '..');
writeFileSync(join(root, 'docs', 'configuration.md'), configurationPage());
writeFileSync(join(root, '.env.example'), exampleSettings());
