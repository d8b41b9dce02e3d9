import { useDeferredValue, useMemo } from 'react';
import { isReadableMarkdown } from '../../../lib/markdown-cost.ts';
import { useAnswerFormat } from './answer-format.ts';

/** An answer, finished or still growing; while it grows, typing and scrolling have priority. */
export function AnswerText({ text, live, words }: { text: string; live: boolean; words: string }) {
  const deferred = useDeferredValue(text);
  const { Answer } = useAnswerFormat();
  const shown = live ? deferred : text;
  const formatted = useMemo(() => isReadableMarkdown(shown), [shown]);
  return (
    <div className="answer-text">
      {Answer && formatted ? <Answer text={shown} live={live} words={words} /> : <PlainAnswer text={shown} />}
    </div>
  );
}

/** Plain text, when the formatter failed to load or would take too long. */
const PlainAnswer = ({ text }: { text: string }) => <p className="whitespace-pre-wrap">{text}</p>;
