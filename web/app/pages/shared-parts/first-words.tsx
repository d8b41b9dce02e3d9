import type { Shared } from '@atelier/contract/shares';
import { SharedView } from '../../features/shares/shared-view.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { nodesOf } from './jsx-elements.ts';

// Inline in the page of shared links, whose document says nothing of what is shared: shows the words as soon as they come, in the same layout,
// and the application, which loads afterwards, takes their place. The build compiles it with `jsx-elements.ts` in React's place.

/** What Markdown certainly shows as it stands. */
const PLAIN = /^\p{L}[\p{L}\p{M}\p{Nd} ,.;?!'’“”()–—-]*$/u;
/** As many as are laid out at once. */
const MOST = 8;

const paragraphsOf = (text: string) => text.split('\n\n');
const isPlain = (text: string) => paragraphsOf(text).every((one) => PLAIN.test(one) && !one.includes('www.'));

const renderAnswer = (text: string) =>
  isPlain(text) ? (
    <div className="answer-text">
      {paragraphsOf(text).map((one) => (
        <p key={one}>{one}</p>
      ))}
    </div>
  ) : (
    <Skeleton className="h-24" />
  );

function show({ shared }: { shared: Shared }) {
  const { exchanges } = shared;
  // What follows an answer that has yet to be formatted would move.
  const formatted = exchanges.findIndex(({ message }) => !isPlain(message));
  const view = SharedView({
    shared: { ...shared, exchanges: exchanges.slice(0, formatted < 0 ? MOST : Math.min(MOST, formatted + 1)) },
    renderAnswer,
    action: shared.mayCopy && (
      <a href={`${location.pathname}/continue`} className={buttonClass('primary')}>
        Continue with a copy of this agent
      </a>
    ),
  });
  // JSX makes elements here.
  document.getElementById('first-words')?.replaceChildren(...nodesOf(view as unknown as Node));
}

const parsed = new Promise((done) => {
  if (document.readyState !== 'loading') done(undefined);
  document.addEventListener('DOMContentLoaded', done);
});
window.firstWords = window.early?.[`/api${location.pathname}`]
  ?.then(async (answer) => {
    const body = answer.ok && (await answer.clone().json());
    await parsed;
    if (body !== false) show(body);
  })
  .catch(() => {});
