/** Stands where the answer will, until its first word. */
export function Thinking() {
  return <p className="animate-breathe text-muted">Thinking...</p>;
}
