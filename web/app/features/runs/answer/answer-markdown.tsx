import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { type ComponentProps, memo, type ReactElement, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { AnswerLink, WrittenWords } from './answer-link.tsx';
import { CodeBlock } from './code-block.tsx';
import { imageAddress, linkAddress } from './safe-address.ts';

/** GitHub's additions, for reading only: the usual plugin also includes a Markdown writer. */
function readGfm(this: { data(): object }): void {
  Object.assign(this.data(), { micromarkExtensions: [gfm()], fromMarkdownExtensions: [gfmFromMarkdown()] });
}
const plugins = [readGfm];

/** Removes links that could run code; `Picture` decides about images. */
const keepSafe = (url: string, attribute: string) => (attribute === 'src' ? url : (linkAddress(url) ?? ''));

const Anchor = ({ href, children }: ComponentProps<'a'>) => <AnswerLink href={href}>{children}</AnswerLink>;

/** Loads only our own images; shows the address of others, to be opened by choice. */
function Picture({ src, alt }: ComponentProps<'img'>) {
  const source = typeof src === 'string' ? src : undefined;
  const own = imageAddress(source, location.origin);
  if (own !== null) return <img src={own} alt={alt ?? ''} loading="lazy" className="max-w-full rounded" />;
  return <AnswerLink href={source}>{alt || source}</AnswerLink>;
}

/** A task list's checkbox; an input without a label would be silent. */
function TaskBox({ checked }: ComponentProps<'input'>) {
  return (
    <span role="img" aria-label={checked ? 'done' : 'to do'} className="mr-1.5 font-mono">
      {checked ? '☑' : '☐'}
    </span>
  );
}

/** A sideways scrolling area must be reachable by keyboard. */
function Table({ children }: { children?: ReactNode }) {
  return (
    <div role="group" aria-label="Table" tabIndex={0} className="my-4 overflow-x-auto">
      <table>{children}</table>
    </div>
  );
}

type CodeElement = ReactElement<{ className?: string; children?: ReactNode }>;

function blockOf(live: boolean) {
  return function Block({ children }: { children?: ReactNode }) {
    const { className = '', children: text } = (children as CodeElement).props;
    const language = /language-(\S+)/.exec(className)?.[1] ?? '';
    return <CodeBlock code={String(text ?? '').replace(/\n$/, '')} language={language} live={live} />;
  };
}

/** A model starts at any heading level and skips some; on the page all headings are right below the agent's name. */
const heading = (level: 1 | 2 | 3) =>
  function Heading({ children }: { children?: ReactNode }) {
    return <h3 data-level={level}>{children}</h3>;
  };

const shared: Components = {
  a: Anchor,
  img: Picture,
  input: TaskBox,
  table: Table,
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(3),
  h5: heading(3),
  h6: heading(3),
};
const whileLive: Components = { ...shared, pre: blockOf(true) };
const whenDone: Components = { ...shared, pre: blockOf(false) };

export interface AnswerMarkdownProps {
  text: string;
  live: boolean;
  /** What the person wrote before it. */
  words: string;
}

/** A model's Markdown: no raw HTML, no foreign images, no address that runs or that opens unseen. */
export default memo(function AnswerMarkdown({ text, live, words }: AnswerMarkdownProps) {
  return (
    <WrittenWords value={words}>
      <Markdown remarkPlugins={plugins} components={live ? whileLive : whenDone} urlTransform={keepSafe}>
        {text}
      </Markdown>
    </WrittenWords>
  );
});
