import { Button } from '../../../ui/button.tsx';
import { ArrowUp, ListPlus, Square } from '../../../ui/icons/lucide.ts';

export interface SendButtonsProps {
  /** There is something to send. */
  hasText: boolean;
  maySend: boolean;
  /** A request is under way. */
  busy: boolean;
  /** What is sent now waits for the running answer. */
  queues: boolean;
  onStop: (() => void) | undefined;
  stopping: boolean;
}

/** Send; while an answer runs, Stop, and beside it Queue once something is written. */
export function SendButtons({ hasText, maySend, busy, queues, onStop, stopping }: SendButtonsProps) {
  const label = queues ? 'Queue' : 'Send';
  const Icon = queues ? ListPlus : ArrowUp;
  return (
    <>
      {(!onStop || hasText) && (
        <Button type="submit" variant="primary" loading={busy} disabled={!busy && !maySend}>
          {!busy && <Icon aria-hidden="true" className="size-4" />}
          {label}
        </Button>
      )}
      {onStop && (
        <Button variant="secondary" loading={stopping} onClick={onStop} className="touch:min-h-11">
          <Square aria-hidden="true" className="size-3.5 fill-current" />
          Stop
        </Button>
      )}
    </>
  );
}
