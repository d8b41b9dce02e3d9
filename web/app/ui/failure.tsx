import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

interface FailureProps {
  /** Why something could not be loaded. */
  text: string;
  onRetry: () => void;
  className?: string;
}

/** In the place of a part of the page that could not be loaded: why, and a way to try again. */
export function Failure({ text, onRetry, className }: FailureProps) {
  return (
    <Banner tone="danger" role="alert" className={className}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex-1 basis-48">{text}</p>
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </Banner>
  );
}
