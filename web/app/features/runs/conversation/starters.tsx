import { Button } from '../../../ui/button.tsx';

/** An agent's opening questions; a press sends one. */
export function Starters({ starters, onSend }: { starters: readonly string[]; onSend: (text: string) => void }) {
  if (starters.length === 0) return null;
  return (
    <ul aria-label="Ways to begin" className="flex w-full max-w-lg flex-col gap-2">
      {starters.map((starter) => (
        <li key={starter}>
          <Button className="w-full justify-start text-left font-normal" onClick={() => onSend(starter)}>
            {starter}
          </Button>
        </li>
      ))}
    </ul>
  );
}
