import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import type { Server } from './server.ts';
import { ask, closeByEscape, exchanges, openConversation, send } from './workshop.ts';

const RICH = `It costs $5, not $10. Einstein found $E = mc^2$, and \\(a_1 + b_1\\) is short.[^1]

$$
\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}
$$

\`\`\`mermaid
flowchart TD
  A[Flour] --> B{Fresh?}
  B -->|yes| C[Bake]
  B -->|no| D[Buy]
\`\`\`

\`\`\`mermaid
flowchart TD
  this is --- not [a diagram
\`\`\`

- [x] bought flour
- [ ] baked bread

| Part | Price, in euros | A long heading that makes the table wide | Another long heading beside it |
|---|---:|---|---|
| Roof "old" | 1,200 | =1+1 | $x^2$ |

\`\`\`text
${'One of many lines.\n'.repeat(80)}\`\`\`

\`\`\`html
<style>h1 { color: rgb(200, 0, 0) }</style><h1>Hello preview</h1>
\`\`\`

[^1]: A note below the text.
`;

async function open(page: Page, server: Server): Promise<void> {
  await openConversation(page, { agent: 'Baker', prompt: 'You bake', at: server.url });
}

test('formulas, diagrams, tables, code, previews and footnotes are shown and can be taken along', {
  tag: '@phone',
}, async ({ page, context, complaints, provided: { server, provider } }) => {
  // The journey’s own looks into the preview, which runs no scripts.
  complaints.expectConsole(/Blocked script execution in 'about:srcdoc'/u);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
  await open(page, server);
  provider.behave({ text: RICH, deltas: 60 });
  const answer = await ask(page, 'Tell me everything');

  await expect(answer.getByText('It costs $5, not $10.')).toBeVisible();
  await expect(answer.locator('.katex')).toHaveCount(4);
  await expect(answer.getByRole('group', { name: 'Formula' })).toBeVisible();
  const picture = answer.getByRole('img', { name: /^Diagram \(flowchart\)/u });
  // It is drawn when it comes near.
  await answer.getByRole('group', { name: 'Diagram' }).first().scrollIntoViewIfNeeded();
  await expect(picture).toBeVisible();
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBeGreaterThan(100);
  const large = page.getByRole('dialog', { name: /^Diagram/u });
  await answer.getByRole('button', { name: /^Diagram/u }).press('Enter');
  await expect(large.getByRole('img')).toBeVisible();
  await expectAccessible(page);
  await closeByEscape(page, large);
  await expect(answer.getByRole('button', { name: /^Diagram/u })).toBeFocused();
  await answer.getByRole('group', { name: 'Table' }).scrollIntoViewIfNeeded();
  await expect(answer.getByText('This diagram can’t be drawn. Here is its source.')).toBeVisible();
  await answer.getByRole('button', { name: 'Show source' }).click();
  await expect(answer.getByRole('group', { name: 'Code, mermaid' }).first()).toContainText('A[Flour]');

  // Tables, code and diagrams are as wide as the person's message.
  const widths = await answer
    .locator('xpath=./div[1] | .//*[@data-block]')
    .evaluateAll((blocks) => blocks.map((block) => block.getBoundingClientRect().width));
  expect(widths.length).toBeGreaterThan(4);
  expect(new Set(widths).size).toBe(1);
  // The bar of a long block stays in sight.
  await answer.getByRole('group', { name: 'Code, text' }).evaluate((code) => code.scrollIntoView({ block: 'end' }));
  await expect(answer.getByRole('button', { name: 'Copy code' }).nth(-2)).toBeInViewport();

  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  await answer.getByRole('button', { name: 'Copy table as CSV' }).click();
  await expect
    .poll(clipboard)
    .toBe(
      'Part,"Price, in euros",A long heading that makes the table wide,Another long heading beside it\r\n"Roof ""old""","1,200",\'=1+1,$x^2$',
    );

  await answer.getByRole('button', { name: 'Show preview' }).click();
  const preview = page.frameLocator('iframe[title="Preview"]').frameLocator('iframe');
  await expect(preview.getByRole('heading', { name: 'Hello preview' })).toBeVisible();
  await expect(preview.getByRole('heading')).toHaveCSS('color', 'rgb(200, 0, 0)');

  await answer.getByRole('button', { name: 'Hide preview' }).click();

  const saving = page.waitForEvent('download');
  // The page's code is the last block.
  const html = answer.getByRole('group', { name: 'Code, html' });
  await answer.getByRole('button', { name: 'Download code' }).last().click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('code.html');
  expect(readFileSync(await saved.path(), 'utf8')).toContain('Hello preview');
  await answer.getByRole('button', { name: 'Wrap lines' }).last().click();
  await expect(html).toHaveCSS('white-space', 'pre-wrap');

  await answer.getByRole('button', { name: 'Footnote 1', exact: true }).click();
  await expect(answer.getByRole('listitem').filter({ hasText: 'A note below the text.' })).toBeFocused();
  await answer.getByRole('button', { name: 'Back to footnote 1 in the text' }).click();
  await expect(answer.getByRole('button', { name: 'Footnote 1', exact: true })).toBeFocused();

  await page.evaluate("getSelection().selectAllChildren(document.querySelector('.answer-text'))");
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(clipboard).toContain('Einstein found $E = mc^2$, and \\(a_1 + b_1\\) is short.');
  expect(await clipboard()).toContain('```mermaid\nflowchart TD\n  A[Flour]');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test('half a formula and half a diagram wait for their ends', async ({ page, provided: { server, provider } }) => {
  await open(page, server);
  const text = 'So:\n\n$$\n\\frac{a}{b}\n$$\n\n```mermaid\nflowchart LR\n  One --> Two\n```\n\nDone.';
  provider.behave({ text, deltas: text.length, heldAfter: [text.indexOf('{b}'), text.indexOf(' Two')] });
  await send(page, 'Slowly, please');
  const last = exchanges(page).last();
  await expect(last.getByText('\\frac{a')).toBeVisible();
  await expect(last.locator('.katex')).toHaveCount(0);
  provider.release();
  await expect(last.getByRole('group', { name: 'Code, mermaid' })).toContainText('One');
  await expect(last.locator('.katex')).toHaveCount(1);
  await expect(last.getByText('can’t be drawn')).toHaveCount(0);
  provider.release();
  await expect(last.getByRole('img', { name: /^Diagram/u })).toBeVisible();
  await expect(last.getByRole('button', { name: 'Copy answer' })).toBeVisible();
  provider.reset();
});
