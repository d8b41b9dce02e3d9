import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

export interface FailureProps {
  /** Why something could not be loaded. */
  text: string;
  onRetry: () => void;
}

/** Says in one line why something could not be loaded, and offers to try again. */
export function Failure({ text, onRetry }: FailureProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <p className="text-danger">{text}</p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** The same where it stands for the whole page or section. */
export function FailureBanner({ text, onRetry }: FailureProps) {
  return (
    <Banner tone="danger" role="alert">
      <p>{text}</p>
      <Button size="sm" className="mt-2" onClick={onRetry}>
        Try again
      </Button>
    </Banner>
  );
}
