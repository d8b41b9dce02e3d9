import type { Shared } from '@atelier/contract/shares';
import type { ReactNode } from 'react';
import { SharedView } from '../../features/shares/shared-view.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type * as formatter from './formatted-words.ts';
import { nodesOf } from './jsx-elements.ts';

// Inline in the page of shared links, whose document says nothing of what is shared: shows the words as soon as they come, in the same layout
// as the application, which only loads where an answer needs it. The build compiles it with `jsx-elements.ts` in React's place.

/** The address of `formatted-words.ts`, compiled likewise. */
declare const FORMATTER: string;

/** What Markdown certainly shows as it stands. */
const PLAIN = /^\p{L}[\p{L}\p{M}\p{Nd} ,.;:?!'"’“”()%–—-]*$/u;
/** Marks of what only the application shows: code, tables, formulas, links, pictures and footnotes. */
const LIVELY = ['```', '~~~', '|', '$', '\\(', '\\[', '[', '@', '://', 'www.'];
/** As many exchanges as are laid out at once. */
const MOST = 8;
/** For how long answers are formatted before the page does something else, in milliseconds. */
const TASK_MS = 4;
/** How long what is shown counts as new, as everywhere in the application; in milliseconds. */
const FRESH_MS = 60_000;

const path = `/api${location.pathname}`;
const placeOfWords = () => document.getElementById('first-words') as HTMLElement;

const paragraphsOf = (text: string) => (text === '' ? [] : text.split('\n\n'));
const isPlain = (text: string) => paragraphsOf(text).every((one) => PLAIN.test(one) && !one.includes('www.'));

/** Shows a conversation, or its beginning; an answer that is neither plain nor in `formatted` is a grey area. */
function show(shared: Shared, formatted?: Map<string, Node>): void {
  const renderAnswer = (text: string) => {
    const answer = formatted?.get(text)?.cloneNode(true);
    if (!answer && !isPlain(text)) return <Skeleton className="h-24" />;
    return (
      <div className="answer-text">
        {(answer as unknown as ReactNode) ??
          paragraphsOf(text).map((one) => (
            <p key={one} dir="auto">
              {one}
            </p>
          ))}
      </div>
    );
  };
  const action = shared.mayCopy && (
    <a href={`${location.pathname}/continue`} className={buttonClass('primary')}>
      Continue with a copy of this agent
    </a>
  );
  // JSX makes elements here.
  const view = SharedView({ shared, renderAnswer, action }) as unknown as Node;
  const page = document.createDocumentFragment();
  page.append(...nodesOf(view));
  update(placeOfWords(), page);
}

/** Gives an element the children of `next`. What is the same stays, with what the reader selected, and a receipt stays open. */
function update(element: Element, next: Node): void {
  const children = [...element.childNodes];
  const nodes = [...next.childNodes];
  for (const [i, node] of nodes.entries()) {
    const child = children[i];
    if (child instanceof HTMLDetailsElement && node instanceof HTMLDetailsElement) node.open = child.open;
    if (child === undefined) element.append(node);
    else if (child.isEqualNode(node)) continue;
    else if (child instanceof Element && child.cloneNode().isEqualNode(node.cloneNode())) update(child, node);
    else child.replaceWith(node);
  }
  for (const child of children.slice(nodes.length)) child.remove();
}

/** Formats answers, a few at a time: what the reader does meanwhile comes first. Throws where one needs the application. */
async function formatEach(texts: readonly string[]): Promise<Map<string, Node>> {
  const { format }: typeof formatter = await import(FORMATTER);
  const formatted = new Map<string, Node>();
  let until = 0;
  for (const text of texts) {
    if (performance.now() > until) {
      await new Promise((done) => setTimeout(done));
      until = performance.now() + TASK_MS;
    }
    const answer = document.createDocumentFragment();
    answer.append(...nodesOf(format(text)));
    formatted.set(text, answer);
  }
  return formatted;
}

/** Returns whether all of it is shown; otherwise its beginning is, or what was there before. */
async function showWhole(shared: Shared): Promise<boolean> {
  const { exchanges } = shared;
  const texts = exchanges.flatMap(({ message, memories }) => [message, ...memories.map(({ text }) => text)]);
  const unformatted = texts.filter((text) => !isPlain(text));
  if (unformatted.length === 0) {
    show(shared);
    return true;
  }
  // What follows an answer that has yet to be formatted would move.
  const first = exchanges.findIndex(({ message }) => !isPlain(message));
  const beginning = exchanges.slice(0, first < 0 ? MOST : Math.min(MOST, first + 1));
  if (!placeOfWords().hasChildNodes()) show({ ...shared, exchanges: beginning });
  if (unformatted.some((text) => LIVELY.some((mark) => text.includes(mark)))) return false;
  show(shared, await formatEach(unformatted));
  return true;
}

/** Asks again once somebody comes back to the page after a while. */
const askAgain = () =>
  new Promise<Response>((done) => {
    let askedAt = Date.now();
    document.addEventListener('visibilitychange', async () => {
      if (document.hidden || Date.now() - askedAt < FRESH_MS) return;
      askedAt = Date.now();
      const answer = await fetch(path).catch(() => undefined);
      if (answer?.ok || answer?.status === 404) done(answer);
    });
  });

async function untilNeeded(): Promise<void> {
  const early = await window.early?.[path];
  if (document.readyState === 'loading')
    await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
  for (let answer = early?.clone(); answer?.ok; answer = await askAgain()) {
    const { shared }: { shared: Shared } = await answer.json();
    if (!(await showWhole(shared))) return;
  }
}
window.firstWords = untilNeeded().catch(() => undefined);
