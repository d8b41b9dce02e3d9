import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');

/** The colours of one scheme, by name. */
function tokens(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/gu)].map(([, name, value]) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['paper', 'surface', 'raised', 'sunken'];
const text = ['ink', 'muted', 'danger', 'warning', 'success'];
const pairs = [
  ...grounds.flatMap((ground) => text.map((ink) => [ink, ground, 4.5] as const)),
  ['accent-ink', 'accent', 4.5] as const,
  ['accent-ink', 'accent-strong', 4.5] as const,
  ['danger-ink', 'danger', 4.5] as const,
  // Edges of fields and buttons, and the accent's own shape, need 3:1 against what they stand on.
  ...['paper', 'surface', 'raised'].flatMap((ground) => [['edge', ground, 3] as const, ['accent', ground, 3] as const]),
];

describe.each([
  ['light', ':root'],
  ['dark', ':root[data-theme="dark"]'],
])('the %s scheme', (_, selector) => {
  const colours = tokens(selector);

  it.each(pairs)('%s on %s has a contrast of at least %d', (ink, ground, least) => {
    expect(contrast(colours[ink] ?? '', colours[ground] ?? '')).toBeGreaterThanOrEqual(least);
  });

  it('defines the same tokens as the other', () => {
    expect(Object.keys(colours)).toEqual(Object.keys(tokens(':root')));
  });
});
