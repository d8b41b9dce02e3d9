import { classes } from './classes.ts';

export interface AgentMarkProps {
  /** The same id always gives the same mark. */
  id: string;
  /** Pixels. */
  size?: number;
  className?: string;
}

/** Shapes of eight by eight units, drawn at the top left: quarter, wedge, half, dovetail, ring and bars. */
const SHAPES = [
  'M0 0H8A8 8 0 0 1 0 8Z',
  'M0 0H8L0 8Z',
  'M0 0H8A4 4 0 0 1 0 0Z M0 4H8V8H0Z',
  'M0 0H8L5.5 4L8 8H0L2.5 4Z',
  'M4 0.75A3.25 3.25 0 1 1 4 7.25A3.25 3.25 0 1 1 4 0.75Z M4 2.75A1.25 1.25 0 1 0 4 5.25A1.25 1.25 0 1 0 4 2.75Z',
  'M0 0H8V2H0Z M0 3H8V5H0Z M0 6H8V8H0Z',
];

/** An agent's generated mark: four tiles of inlay that make lists recognisable at a glance. Decoration only. */
export function AgentMark({ id, size = 32, className }: AgentMarkProps) {
  const mark = markOf(id);
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      className={classes('shrink-0', className)}
    >
      <rect width="20" height="20" rx="5" fill={mark.ground} />
      {mark.tiles.map((tile) => (
        <path
          key={`${tile.x}-${tile.y}`}
          d={tile.shape}
          fill={tile.fill}
          fillRule="evenodd"
          transform={`translate(${tile.x} ${tile.y}) rotate(${tile.turn} 4 4)`}
        />
      ))}
    </svg>
  );
}

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
export function markOf(id: string) {
  const next = numbers(hash(id.replace(COPIED, '')));
  const [ground, light, dark] = PIGMENTS[next(PIGMENTS.length)] ?? PIGMENTS[0];
  const places: [number, number][] = [
    [2, 2],
    [10, 2],
    [2, 10],
    [10, 10],
  ];
  const tiles = places.map(([x, y]) => {
    const shape = SHAPES[next(SHAPES.length)];
    return { x, y, shape, turn: next(4) * 90, fill: next(3) === 0 ? dark : light };
  });
  return { ground, tiles };
}
