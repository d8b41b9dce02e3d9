import type { ReactNode } from 'react';

/** The places of one answer's footnotes on the page. */
const noteId = (answer: string, n: number) => `${answer}-note-${n}`;
const referenceId = (answer: string, n: number) => `${answer}-reference-${n}`;

function go(id: string) {
  const target = document.getElementById(id);
  target?.scrollIntoView({ block: 'nearest' });
  target?.focus({ preventScroll: true });
}

interface ReferenceProps {
  /** The answer's own id, since each counts from 1. */
  answer: string;
  n: number;
  /** The first of this footnote, to which it leads back. */
  first: boolean;
}

/** A footnote's number in the text, which leads to it. */
export function FootnoteReference({ answer, n, first }: ReferenceProps) {
  return (
    <sup>
      <button
        type="button"
        id={first ? referenceId(answer, n) : undefined}
        aria-label={`Footnote ${n}`}
        className="footnote-link"
        onClick={() => go(noteId(answer, n))}
      >
        {n}
      </button>
    </sup>
  );
}

/** The footnotes below an answer, each with its way back. */
export function Footnotes({ answer, notes }: { answer: string; notes: ReactNode[] }) {
  if (notes.length === 0) return null;
  return (
    <section className="mt-6 border-t pt-2 text-sm">
      <h3 data-level={2}>Footnotes</h3>
      <ol className="[&_p:last-of-type]:inline">
        {notes.map((note, i) => (
          <li key={i} id={noteId(answer, i + 1)} tabIndex={-1}>
            {note}
            <button
              type="button"
              data-tools=""
              aria-label={`Back to footnote ${i + 1} in the text`}
              className="footnote-link print:hidden"
              onClick={() => go(referenceId(answer, i + 1))}
            >
              ↩
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
