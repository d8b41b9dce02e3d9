import { expect, it } from 'vitest';
import type { Formula } from './formulas.ts';
import { type MarkdownNode, type MarkdownTree, parseMarkdown } from './tree.ts';

function formulasIn(markdown: string, live = false): Formula[] {
  const found: Formula[] = [];
  const visit = (node: MarkdownNode | MarkdownTree) => {
    if (node.type === 'formula') found.push(node);
    if ('children' in node) node.children.forEach(visit);
  };
  visit(parseMarkdown(markdown, live));
  return found;
}
const texIn = (markdown: string, live?: boolean) => formulasIn(markdown, live).map(({ value }) => value);

it.each([
  ['Einstein: $E = mc^2$.', ['E = mc^2']],
  ['so \\(a_1 + b\\) and \\(x\\)', ['a_1 + b', 'x']],
  ['$$\n\\frac{a}{b}\n$$', ['\\frac{a}{b}']],
  ['$$ a\n= b $$', ['a\n= b']],
  ['so:\n\\[\na\n- b\n= c\n\\]\nand', ['a\n- b\n= c']],
  ['\\[ x^2 \\]', ['x^2']],
  ['in \\[x^2\\] line', ['x^2']],
  ['$$x$$ inline and $$y$$', ['x', 'y']],
  ['| a |\n|---|\n| $x$ |', ['x']],
  ['- $x$\n- \\[\n  y^2\n  \\]', ['x', 'y^2']],
  ['> $$\n> z\n> $$', ['z']],
  ['$\\text{price } \\$5$', ['\\text{price } \\$5']],
  ['**$x$**', ['x']],
  ['where $x_1$, $x_2$ and $n$', ['x_1', 'x_2', 'n']],
  ['$a$-$b$', ['a', 'b']],
  ['其中$x$是', ['x']],
  ['\\[\na \\\\[2pt]\nb\n\\]', ['a \\\\[2pt]\nb']],
])('finds the formulas of %j', (markdown, tex) => {
  expect(texIn(markdown)).toEqual(tex);
});

it.each([
  'It costs $5 and $10.',
  '$5-$10',
  'US$5 or A$7',
  '$5',
  'between $20K and $30K, or 5$ and 6$',
  'I pay $5 and 10$ more',
  '`$x$`',
  '```\n$$\nx\n$$\n```',
  '\\$x\\$',
  'echo $HOME and $PATH',
  '$HOME/bin:$PATH',
  '$ x $',
  '$$',
  '$$\n\n$$',
  'see \\[1\\] and \\[link\\](https://a.example)',
  'an open \\( x',
  '$$\nx',
])('leaves %j as text', (markdown) => {
  expect(texIn(markdown)).toEqual([]);
});

it('knows a block that has not ended yet while the answer grows', () => {
  expect(formulasIn('$$\n\\frac{a', true)).toMatchObject([{ open: true, display: true }]);
  expect(formulasIn('\\[\n\\frac{a', true)).toMatchObject([{ open: true }]);
  expect(formulasIn('$$\nx\n$$', true)).toMatchObject([{ open: false, source: '$$\nx\n$$' }]);
  expect(texIn('half $x^2', true)).toEqual([]);
});

it.each([
  '$',
  '$a ',
  '$$a ',
  '\\(',
  '\\(a ',
  '\\[\n',
  '$$\n',
  '\\[a',
  'a\\$',
  '$a\\$',
  '$x$',
  '\\[\n\n',
  '$1 \\(a ',
  'https://',
  '[https://a',
  'https://a。',
  '<sub>这',
])('reads a heap of %j at once', (part) => {
  const heap = part.repeat(6_000 / part.length);
  const began = process.cpuUsage();
  parseMarkdown(heap);
  parseMarkdown(heap, true);
  // In processor time, which other programs don't lengthen: a square would take a minute.
  expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
});
