import type { ReactNode } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';

interface TrialProps<Result> {
  /** What the button does. */
  label: string;
  mutation: {
    data: Result | undefined;
    error: unknown;
    isPending: boolean;
    mutate: () => void;
  };
  /** What came of it. */
  children: (result: Result) => ReactNode;
}

/** Tries a part of the installation when an operator asks for it, and says beside the button how that went. */
export function Trial<Result>({ label, mutation, children }: TrialProps<Result>) {
  const { data, error, isPending, mutate } = mutation;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button size="sm" loading={isPending} onClick={() => mutate()}>
        {label}
      </Button>
      <div role="status" className="min-w-0 flex-1 basis-60 text-sm [overflow-wrap:anywhere]">
        {isPending && <p className="text-muted">Waiting for an answer…</p>}
        {!isPending && Boolean(error) && <p className="text-danger">{errorText(error)}</p>}
        {!isPending && !error && data !== undefined && children(data)}
      </div>
    </div>
  );
}
