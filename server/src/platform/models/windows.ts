import { type CatalogueModel, keyOf } from './catalogue/catalogue.ts';

/** How far a model's count may differ from ours. */
const RATIO_MIN = 0.5;
const RATIO_MAX = 2;
/** How much a new count moves what is known. */
const NEWS = 0.3;
/** Less than this is mostly what providers add to a prompt themselves. */
const PROMPT_MIN = 200;
/** Counts below this share leave out what the provider had cached. */
const CACHED = 0.25;
/** A prompt that was refused shows that the window is smaller; the next one leaves some room. */
const REFUSED_SHARE = 0.75;
/** No refusal makes a window smaller. */
const WINDOW_MIN = 1_000;

/** What models have shown of their windows. */
export type Windows = ReturnType<typeof createWindows>;

/** Learns from each answer how a model counts; forgets with the process. */
export function createWindows() {
  const ratios = new Map<string, number>();
  const limits = new Map<string, number>();
  return {
    /** A window of so many tokens, in tokens as `countTokens` counts. */
    measured(model: CatalogueModel, tokens: number): number {
      const key = keyOf(model);
      return Math.floor(Math.min(tokens / (ratios.get(key) ?? 1), limits.get(key) ?? tokens * 2));
    },
    /** The model counted a prompt itself. */
    noteCount(model: CatalogueModel, estimate: number, counted: number): void {
      if (estimate < PROMPT_MIN || counted < estimate * CACHED) return;
      const ratio = Math.min(RATIO_MAX, Math.max(RATIO_MIN, counted / estimate));
      const before = ratios.get(keyOf(model)) ?? 1;
      ratios.set(keyOf(model), before + (ratio - before) * NEWS);
    },
    /** The model refused a prompt as too long, and may have said how much it reads. */
    noteRefusal(model: CatalogueModel, estimate: number, why: string): void {
      const key = keyOf(model);
      const window = Math.min(limits.get(key) ?? Infinity, estimate * REFUSED_SHARE, statedLimit(why) ?? Infinity);
      if (estimate > WINDOW_MIN) limits.set(key, Math.max(WINDOW_MIN, Math.floor(window)));
    },
  };
}

/** The number of tokens that a refusal names as the most. */
function statedLimit(why: string): number | undefined {
  const plain = why.replaceAll(/(?<=\d)[,_](?=\d{3})/gu, '');
  const [, stated] = /(?:max|limit|only|exceed|<=|>|\[1,)\D{0,40}?(\d{4,7})/iu.exec(plain) ?? [];
  return stated === undefined ? undefined : Number(stated);
}
