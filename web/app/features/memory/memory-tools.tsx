import type { Memory } from '@atelier/contract/memory';
import { Button, buttonClass } from '../../ui/button.tsx';

interface ToolsProps {
  shown: readonly Memory[];
  chosen: number;
  onAll: (all: boolean) => void;
  onForget: () => void;
  forgetting: boolean;
  exportTo: string;
}

/** What can be done with the memories of the list. */
export function Tools({ shown, chosen, onAll, onForget, forgetting, exportTo }: ToolsProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <label className="flex items-center gap-3 pl-4 text-sm touch:min-h-11">
        <input
          type="checkbox"
          checked={chosen > 0 && chosen === shown.length}
          onChange={(e) => onAll(e.target.checked)}
          className="size-4 accent-ink touch:size-5"
        />
        Select all shown
      </label>
      <div className="ml-auto flex gap-3">
        <Button size="sm" disabled={chosen === 0} loading={forgetting} onClick={onForget}>
          {chosen === 0 ? 'Forget selected' : `Forget ${chosen} selected`}
        </Button>
        <a href={exportTo} download className={buttonClass('secondary', 'sm')}>
          Export
        </a>
      </div>
    </div>
  );
}
