import { Fragment, type ReactNode } from 'react';
import type { MarkdownNode, MarkdownTree } from '../../../lib/markdown/tree.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Enlarge } from '../attachments/enlarge.tsx';
import { AnswerLink } from './answer-link.tsx';
import { CodeBlock } from './code-block.tsx';
import { Diagram } from './diagram.tsx';
import { FootnoteReference, Footnotes } from './footnotes.tsx';
import { Formula } from './formula.tsx';
import { imageAddress } from './safe-address.ts';
import { csvOf } from './table-text.ts';

type Parent = Extract<MarkdownNode, { children: unknown }>;
type NodeOf<T extends MarkdownNode['type']> = Extract<MarkdownNode, { type: T }>;

/** One answer while it is turned into elements. */
interface Answer extends AnswerSource {
  /** Addresses that are written once and used by name. */
  addresses: ReadonlyMap<string, string>;
  footnotes: ReadonlyMap<string, NodeOf<'footnoteDefinition'>>;
  /** The names of the footnotes in the order in which the text refers to them. */
  cited: string[];
  formulas: number;
}

/** More formulas than in any text for people are shown as they were written. */
const FORMULAS_MAX = 500;

export interface AnswerSource {
  /** Its own among the answers on the page. */
  id: string;
  text: string;
  /** Still growing: its code waits for its colours. */
  live: boolean;
}

/** The elements of an answer. Its HTML is shown as text; a link or an image is what `AnswerLink` and `Picture` make of it. */
export function answerNodes(tree: MarkdownTree, source: AnswerSource): ReactNode {
  const addresses = new Map<string, string>();
  const footnotes = new Map<string, NodeOf<'footnoteDefinition'>>();
  const collect = (node: MarkdownNode) => {
    if (node.type === 'definition' && !addresses.has(node.identifier)) addresses.set(node.identifier, node.url);
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node);
    if ('children' in node) node.children.forEach(collect);
  };
  tree.children.forEach(collect);
  const answer: Answer = { ...source, addresses, footnotes, cited: [], formulas: 0 };
  return (
    <>
      {all(tree.children, answer)}
      {notes(answer)}
    </>
  );
}

const all = (nodes: readonly MarkdownNode[], answer: Answer): ReactNode[] =>
  nodes.map((node, i) => {
    const element = one(node, answer);
    return typeof element === 'string' ? element : <Fragment key={i}>{element}</Fragment>;
  });

const inside = (node: Parent, answer: Answer) => all(node.children, answer);

function one(node: MarkdownNode, answer: Answer): ReactNode {
  switch (node.type) {
    case 'text':
    case 'html':
      return node.value;
    case 'inlineCode':
      return <code dir="ltr">{node.value.replaceAll(/\r\n|[\r\n]/gu, ' ')}</code>;
    case 'code':
      return code(node, answer);
    case 'formula':
      return formula(node, answer);
    case 'list':
      return list(node, answer);
    case 'table':
      return table(node, answer);
    case 'image':
      return <Picture src={node.url} alt={node.alt} />;
    case 'imageReference':
      return <Picture src={answer.addresses.get(node.identifier)} alt={node.alt} />;
    case 'footnoteReference':
      return footnoteReference(node.identifier, answer);
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    default:
      return 'children' in node ? around(node, answer) : null;
  }
}

function around(node: Parent, answer: Answer): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return <p dir="auto">{inside(node, answer)}</p>;
    case 'heading':
      // A model starts at any heading level and skips some; on the page all headings are right below the agent's name.
      return (
        <h3 dir="auto" data-level={Math.min(node.depth, 3)}>
          {inside(node, answer)}
        </h3>
      );
    case 'blockquote':
      return <blockquote dir="auto">{quoted(node, answer)}</blockquote>;
    case 'emphasis':
      return <em>{inside(node, answer)}</em>;
    case 'strong':
      return <strong>{inside(node, answer)}</strong>;
    case 'delete':
      return <del>{inside(node, answer)}</del>;
    case 'tagged': {
      const Tag = node.tag;
      return <Tag>{inside(node, answer)}</Tag>;
    }
    case 'link':
      return <AnswerLink href={node.url}>{inside(node, answer)}</AnswerLink>;
    case 'linkReference':
      return <AnswerLink href={answer.addresses.get(node.identifier)}>{inside(node, answer)}</AnswerLink>;
    default:
      // A footnote stands at the end; lists and tables render their own parts.
      return null;
  }
}

/** Its paragraphs have no direction of their own, or the quotation could not take that of the first. */
const quoted = (node: Parent, answer: Answer) =>
  node.children.map((child, i) =>
    child.type === 'paragraph' ? (
      <p key={i}>{inside(child, answer)}</p>
    ) : (
      <Fragment key={i}>{one(child, answer)}</Fragment>
    ),
  );

function code(node: NodeOf<'code'>, answer: Answer): ReactNode {
  const language = node.lang?.split(/\s/u)[0] ?? '';
  if (/^mermaid$/iu.test(language) && isComplete(node, answer)) return <Diagram source={node.value} />;
  return <CodeBlock code={node.value} language={language} live={answer.live} />;
}

/** Whether a fence has its end: half a diagram would be a wrong one. */
function isComplete({ position }: NodeOf<'code'>, { live, text }: Answer): boolean {
  if (!live) return true;
  const lines = text.slice(position?.start.offset, position?.end.offset).split('\n');
  return lines.length > 1 && /^[\s>]*(?:`{3,}|~{3,})\s*$/u.test(lines.at(-1) ?? '');
}

function formula(node: NodeOf<'formula'>, answer: Answer): ReactNode {
  answer.formulas += 1;
  if (node.open || answer.formulas > FORMULAS_MAX)
    return (
      <code dir="ltr" className="whitespace-pre-wrap">
        {node.source}
      </code>
    );
  return <Formula tex={node.value} source={node.source} display={node.display} />;
}

function list(node: NodeOf<'list'>, answer: Answer): ReactNode {
  const isLoose = node.spread === true || node.children.some((item) => item.spread === true);
  const items = node.children.map((item, i) => {
    const box = typeof item.checked === 'boolean' && <TaskBox checked={item.checked} />;
    const [first, ...others] = item.children;
    const isSentence = first?.type === 'paragraph';
    // The items of a list without empty lines have no paragraphs.
    const words = isSentence && inside(first, answer);
    return (
      <li key={i} dir="auto" className={box ? 'task-list-item' : undefined}>
        {isSentence && isLoose ? (
          <p>
            {box}
            {words}
          </p>
        ) : (
          <>
            {box}
            {words}
          </>
        )}
        {all(isSentence ? others : item.children, answer)}
      </li>
    );
  });
  return node.ordered ? (
    <ol start={node.start === 1 ? undefined : (node.start ?? undefined)}>{items}</ol>
  ) : (
    <ul>{items}</ul>
  );
}

/** A task list's checkbox; an input without a label would be silent. */
function TaskBox({ checked }: { checked: boolean }) {
  return (
    <>
      <span role="img" aria-label={checked ? 'done' : 'to do'} className="me-1.5 font-mono">
        {checked ? '☑' : '☐'}
      </span>{' '}
    </>
  );
}

/** A sideways scrolling area must be reachable by keyboard. */
function table(node: NodeOf<'table'>, answer: Answer): ReactNode {
  const [head, ...rows] = node.children.map((row, at) => (
    <tr key={at}>
      {(node.align ?? row.children).map((_, i) => {
        const Cell = at === 0 ? 'th' : 'td';
        const cell = row.children[i];
        return (
          <Cell key={i} style={{ textAlign: node.align?.[i] ?? undefined }}>
            {cell && inside(cell, answer)}
          </Cell>
        );
      })}
    </tr>
  ));
  return (
    <div data-block="" dir="auto" className="my-4">
      <div role="group" aria-label="Table" tabIndex={0} className="scroll-sideways">
        <table>
          <thead>{head}</thead>
          {rows.length > 0 && <tbody>{rows}</tbody>}
        </table>
      </div>
      <div data-tools="" className="-ms-2 touch:-ms-3.5 print:hidden">
        <CopyButton text={csvOf(node)} label="Copy table as CSV" />
      </div>
    </div>
  );
}

/** Loads only our own images; shows the address of others, to be opened by choice. */
function Picture({ src, alt }: { src: string | undefined; alt: string | null | undefined }) {
  const own = imageAddress(src, location.origin);
  if (own !== null) {
    return (
      <Enlarge picture={{ url: own, name: alt || 'Picture' }} className="max-w-full cursor-zoom-in">
        <img src={own} alt={alt ?? ''} loading="lazy" className="max-w-full rounded" />
      </Enlarge>
    );
  }
  return <AnswerLink href={src}>{alt || src}</AnswerLink>;
}

function footnoteReference(identifier: string, { id, cited }: Answer): ReactNode {
  const first = !cited.includes(identifier);
  if (first) cited.push(identifier);
  return <FootnoteReference answer={id} n={cited.indexOf(identifier) + 1} first={first} />;
}

/** The footnotes that the text refers to, below it; one may refer to further ones. */
function notes(answer: Answer): ReactNode {
  const items: ReactNode[] = [];
  for (const identifier of answer.cited) {
    const note = answer.footnotes.get(identifier);
    items.push(note && inside(note, answer));
  }
  return <Footnotes answer={answer.id} notes={items} />;
}
