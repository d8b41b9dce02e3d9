import type { SavedPrompt } from '@atelier/contract/prompts';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus-passed-on.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Pencil, Trash2 } from '../../../ui/icons/lucide.ts';

export interface PromptRowProps {
  prompt: SavedPrompt;
  onUse: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** One saved prompt, and what can be done with it. */
export function PromptRow({ prompt: { name, text }, onUse, onEdit, onDelete }: PromptRowProps) {
  const own = useFocusPassedOn<HTMLLIElement>('after');
  return (
    <li ref={own} className="flex items-center gap-2 py-2">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="wrap-anywhere line-clamp-2 text-muted text-sm">{text}</p>
      </div>
      <Button size="sm" aria-label={`Use “${name}”`} onClick={onUse}>
        Use
      </Button>
      <IconButton size="sm" label={`Edit “${name}”`} onClick={onEdit} Icon={Pencil} />
      <IconButton size="sm" label={`Delete “${name}”`} onClick={onDelete} Icon={Trash2} />
    </li>
  );
}
