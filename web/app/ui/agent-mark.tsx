import { type MarkTile, markOf } from './agent-mark-pattern.ts';
import { classes } from './classes.ts';

export interface AgentMarkProps {
  /** The same id always gives the same mark. */
  id: string;
  /** Pixels. */
  size?: number;
  className?: string;
}

/** One shape of eight by eight units, drawn at the top left. */
const shapes: Record<MarkTile['shape'], string> = {
  quarter: 'M0 0H8A8 8 0 0 1 0 8Z',
  wedge: 'M0 0H8L0 8Z',
  half: 'M0 0H8A4 4 0 0 1 0 0Z M0 4H8V8H0Z',
  dovetail: 'M0 0H8L5.5 4L8 8H0L2.5 4Z',
  ring: 'M4 0.75A3.25 3.25 0 1 1 4 7.25A3.25 3.25 0 1 1 4 0.75Z M4 2.75A1.25 1.25 0 1 0 4 5.25A1.25 1.25 0 1 0 4 2.75Z',
  bars: 'M0 0H8V2H0Z M0 3H8V5H0Z M0 6H8V8H0Z',
};

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
          d={shapes[tile.shape]}
          fill={tile.fill}
          fillRule="evenodd"
          transform={`translate(${tile.x} ${tile.y}) rotate(${tile.turn} 4 4)`}
        />
      ))}
    </svg>
  );
}
