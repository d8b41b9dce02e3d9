/** A placeholder for the answer, until its first word. */
export function Thinking() {
  return <p className="animate-breathe text-muted">Thinking...</p>;
}
