import { memo, useId, useMemo } from 'react';
import { parseMarkdown } from '../../../lib/markdown/tree.ts';
import { WrittenWords } from './answer-link.tsx';
import { answerNodes } from './answer-nodes.tsx';

export interface AnswerMarkdownProps {
  text: string;
  live: boolean;
  /** What the person wrote before it. */
  words: string;
}

/** A model's Markdown: no raw HTML, no foreign images, no address that runs or that opens unseen. */
export default memo(function AnswerMarkdown({ text, live, words }: AnswerMarkdownProps) {
  const id = useId();
  const nodes = useMemo(() => answerNodes(parseMarkdown(text, live), { id, text, live }), [id, text, live]);
  return <WrittenWords value={words}>{nodes}</WrittenWords>;
});
