import { useDeferredValue, useMemo } from 'react';
import { isReadableMarkdown } from '../../../lib/markdown/cost.ts';
import { classes } from '../../../ui/classes.ts';
import { useAnswerFormat } from './answer-format.ts';

export interface AnswerTextProps {
  text: string;
  live: boolean;
  /** What the person wrote before it. */
  words: string;
  /** Sentences of an answer in a list: little room between its parts. */
  isCompact?: boolean;
}

/** An answer, finished or still growing; while it grows, typing and scrolling have priority. */
export function AnswerText({ text, live, words, isCompact }: AnswerTextProps) {
  const deferred = useDeferredValue(text);
  const { Answer } = useAnswerFormat();
  const shown = live ? deferred : text;
  const formatted = useMemo(() => isReadableMarkdown(shown), [shown]);
  return (
    <div className={classes('answer-text', isCompact && 'answer-compact')}>
      {Answer && formatted ? <Answer text={shown} live={live} words={words} /> : <PlainAnswer text={shown} />}
    </div>
  );
}

/** Plain text, when the formatter failed to load or would take too long. */
const PlainAnswer = ({ text }: { text: string }) => <p className="whitespace-pre-wrap">{text}</p>;
