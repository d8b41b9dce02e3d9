import { expect, it } from 'vitest';
import { isReadableMarkdown } from './cost.ts';

const NO_FENCES = [
  '- a\n  ```\nb\n',
  '> ```\n',
  '- ```\n  ```\n',
  '``` a`\n',
  '```\n```\n',
  '~~~\n~~~~\n',
  '```\r```\r',
  '```\n    ```\n```\n',
  '```\n```\u00a0\n```\n',
  '   ```\n```\n',
  '   ```\n     ```\n   ```\n',
  'a\n    ```\n    b\n',
];

it.each(['a*_', '[a](', '![', '[', '<', '> ', 'a~', '`a', '1. ', '- ', '*\n', ' *a_\n', '    - *a\n'])(
  'refuses a heap of %j',
  (part) => {
    const heap = part.repeat(4_000);
    expect(isReadableMarkdown(heap)).toBe(false);
    // None of these is a fence around what follows.
    for (const before of NO_FENCES) expect(isReadableMarkdown(`${before}${heap}`), before).toBe(false);
  },
);

it('refuses what is very long', () => {
  expect(isReadableMarkdown('word '.repeat(50_000))).toBe(false);
});

const CODE = `\`\`\`js\n${'if (a[i] < b[i] && !c) d[i] *= `${x}`;\n'.repeat(800)}\`\`\`\n`;
it.each([
  ['words', 'A sentence with *some* weight, and [a link](https://example.com). '.repeat(100)],
  ['paragraphs', 'A sentence with *some* weight, and [a link](https://example.com).\n\n'.repeat(1_500)],
  ['code', CODE],
  ['code in code', `\`\`\`\`md\n${CODE}\n\`\`\`\`\nand **more**`],
  ['code in a list', `1. Do this:\n\n${CODE.replaceAll(/^/gm, '   ').trimEnd()}\n`],
  ['a list', '- **Bold** and `code` and [a link](https://example.com)\n'.repeat(1_000)],
  ['a table', `| a | b | c |\n|---|---|---|\n${'| **1** | `2` | 3 |\n'.repeat(60)}`],
  ['a quotation', '> He said *so*, and she did not.\n'.repeat(100)],
  ['code that has not ended yet', CODE.slice(0, -5)],
])('reads %s of a usual answer', (_what, text) => {
  expect(isReadableMarkdown(text)).toBe(true);
});
