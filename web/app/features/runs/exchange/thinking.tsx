/** A placeholder for the answer, until its first word: why it waits, if the server knows. */
export function Thinking({ wait }: { wait?: string | undefined }) {
  return (
    <p role={wait ? 'status' : undefined} className="animate-breathe text-muted">
      {wait ?? 'Thinking...'}
    </p>
  );
}
