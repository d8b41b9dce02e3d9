import { classes } from './classes.ts';

export interface AvatarProps {
  name: string;
  /** The photo's address; without one, the initials stand in its place. */
  photo: string | null;
  /** Pixels. */
  size?: number;
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/\s/u).filter((word) => word !== '');
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase();
}

/** Somebody's photo or initials. Decoration only: their name stands beside it. */
export function Avatar({ name, photo, size = 32 }: AvatarProps) {
  const round = 'shrink-0 overflow-hidden rounded-full border bg-sunken';
  if (photo !== null) {
    return <img src={photo} alt="" width={size} height={size} className={classes(round, 'object-cover')} />;
  }
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      className={classes(round, 'inline-flex items-center justify-center font-semibold text-muted')}
    >
      {initialsOf(name)}
    </span>
  );
}
