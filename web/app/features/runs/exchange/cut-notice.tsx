import type { Task } from '@atelier/contract/runs';
import { Button } from '../../../ui/button.tsx';

const WHY: Record<NonNullable<Task['cut']>, string> = {
  length: 'The model reached its length limit, so this answer stops here.',
  filter: 'The provider’s content filter stopped this answer.',
};

export interface CutNoticeProps {
  why: NonNullable<Task['cut']>;
  /** Left out where something has been said since. */
  onContinue?: (() => void) | undefined;
  /** False while nothing can be sent. */
  mayContinue: boolean;
}

/** Below an answer that ended before its time: why, and the way on. */
export function CutNotice({ why, onContinue, mayContinue }: CutNoticeProps) {
  return (
    <div className="flex max-w-[72ch] flex-wrap items-center gap-x-3 gap-y-2">
      <p className="text-muted">
        <span className="font-semibold">Cut.</span> {WHY[why]}
      </p>
      {onContinue && (
        <Button size="sm" disabled={!mayContinue} onClick={onContinue}>
          Continue
        </Button>
      )}
    </div>
  );
}
