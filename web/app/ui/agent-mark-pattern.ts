/** Pigments of a workshop: ground, light inlay, dark inlay. None is near the accent colour, which has a meaning. */
const PIGMENTS = [
  ['#43543a', '#e2d7b3', '#9fb07c'],
  ['#7d5716', '#f5e3b8', '#d8a645'],
  ['#344e68', '#d9e1e4', '#86abc4'],
  ['#583953', '#eed9e3', '#b487a8'],
  ['#543d2e', '#ecdcc8', '#b98f6a'],
  ['#22565a', '#d3e6dc', '#70aea5'],
  ['#322d38', '#e6dfd4', '#9a91a6'],
  ['#d9c8a4', '#594630', '#94744a'],
] as const;

const SHAPES = ['quarter', 'wedge', 'half', 'dovetail', 'ring', 'bars'] as const;

export interface MarkTile {
  x: number;
  y: number;
  shape: (typeof SHAPES)[number];
  /** Degrees, a multiple of 90. */
  turn: number;
  fill: string;
}

export interface Mark {
  ground: string;
  tiles: MarkTile[];
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  return h >>> 0;
}

/** mulberry32: a small generator whose numbers depend only on the seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** What a copy's id has behind its original's: the time in milliseconds. */
const COPIED = /-\d{13}$/u;

/** The pattern of an id: a ground and four tiles, always the same for the same id and for those of its copies. */
export function markOf(id: string): Mark {
  const next = numbers(hash(id.replace(COPIED, '')));
  const [ground, light, dark] = PIGMENTS[next(PIGMENTS.length)] ?? PIGMENTS[0];
  const places: [number, number][] = [
    [2, 2],
    [10, 2],
    [2, 10],
    [10, 10],
  ];
  const tiles = places.map(([x, y]): MarkTile => {
    const shape = SHAPES[next(SHAPES.length)] ?? 'quarter';
    return { x, y, shape, turn: next(4) * 90, fill: next(3) === 0 ? dark : light };
  });
  return { ground, tiles };
}
