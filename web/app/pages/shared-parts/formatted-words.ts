import { answerNodes } from '../../features/runs/answer/answer-nodes.tsx';
import { isReadableMarkdown } from '../../lib/markdown/cost.ts';
import { parseMarkdown } from '../../lib/markdown/tree.ts';

// Formats the answers of a shared conversation without the application. The build compiles it with `jsx-elements.ts` in React's place and
// `application-parts.ts` in that of the components that an answer may contain.

/** An answer as the application shows it; throws where only the application can. */
export function format(text: string): Node {
  if (!isReadableMarkdown(text)) throw new Error('The application shows this as it stands');
  // JSX makes elements here.
  return answerNodes(parseMarkdown(text), { id: '', text, live: false }) as unknown as Node;
}
