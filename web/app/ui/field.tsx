import { type ReactNode, useId } from 'react';

export interface FieldControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldProps {
  label: ReactNode;
  error?: string | null;
  hint?: ReactNode;
  /** At the right end of the label's line, for example a counter. */
  aside?: ReactNode;
  children: (props: FieldControlProps) => ReactNode;
}

/** A label, its control, and below it the hint or the error. */
export function Field({ label, error, hint, aside, children }: FieldProps) {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-semibold text-sm">
          {label}
        </label>
        {aside && <span className="text-muted text-sm">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} className="text-danger text-sm [overflow-wrap:anywhere]">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  );
}
