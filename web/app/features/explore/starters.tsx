import { SeenText } from '../../lib/names/seen-text.tsx';

/** Ways to begin with an agent. */
export function Starters({ starters, whole = false }: { starters: readonly string[]; whole?: boolean }) {
  if (starters.length === 0) return null;
  return (
    <ul aria-label="Ways to begin" className="flex flex-col gap-1 text-sm">
      {starters.map((starter, at) => (
        <li key={at} className={whole ? '' : 'truncate'}>
          “<SeenText text={starter} />”
        </li>
      ))}
    </ul>
  );
}
