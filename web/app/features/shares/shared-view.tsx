import { agentSlug } from '@atelier/contract/ids';
import type { Shared, SharedExchange } from '@atelier/contract/shares';
import type { ReactNode } from 'react';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { classes } from '../../ui/classes.ts';
import { minuteOf } from '../../ui/formats.ts';

const Time = ({ at }: { at: string }) => <time dateTime={at}>{minuteOf(at)}</time>;

export interface SharedViewProps {
  shared: Shared;
  /** Renders a model's Markdown; `words` is what the person wrote before it. */
  renderAnswer: (text: string, words: string) => ReactNode;
  /** How to go on, where that is possible. */
  action: ReactNode;
}

/** What a link shows: the exchanges, oldest first. */
export function SharedView({ shared, renderAnswer, action }: SharedViewProps) {
  return (
    <>
      <header className="flex flex-col items-start gap-3 border-b pb-6">
        <h1 className="text-balance font-semibold text-2xl">
          {shared.title === null ? (
            <>
              An answer by <SeenName name={shared.agentName} />
            </>
          ) : (
            <SeenName name={shared.title} />
          )}
        </h1>
        <p className="text-muted">
          Shared by somebody who talked with the AI agent “<SeenName name={shared.agentName} />
          ”.{' '}
          {shared.follows ? (
            'Later messages appear here too.'
          ) : (
            <>
              As it was on <Time at={shared.takenAt} />.
            </>
          )}{' '}
          AI answers can be wrong.
        </p>
        {action}
      </header>
      <div className="flex flex-col divide-y">
        {shared.hasEarlier && <p className="py-4 text-muted text-sm">Earlier messages are not part of this link.</p>}
        {shared.exchanges.length === 0 && <p className="py-12 text-center text-muted">There is no message to show.</p>}
        {shared.exchanges.map((exchange, i) => (
          <Exchange
            key={`${exchange.timestamp} ${i}`}
            exchange={exchange}
            later={i >= FIRST}
            renderAnswer={renderAnswer}
          />
        ))}
      </div>
    </>
  );
}

/** These are laid out at once; the others when they are scrolled to. */
const FIRST = 8;

interface ExchangeProps extends Pick<SharedViewProps, 'renderAnswer'> {
  exchange: SharedExchange;
  later: boolean;
}

function Exchange({ exchange, later, renderAnswer }: ExchangeProps) {
  const { inputText, message, agentName, timestamp, offline } = exchange;
  return (
    <article className={classes('flex flex-col gap-4 py-6', later && 'exchange-old')}>
      <div className="rounded-lg border bg-raised px-4 py-3">
        <h2 className="mb-0.5 flex flex-wrap items-baseline gap-x-2 text-muted text-sm">
          <span className="font-semibold">Question</span>
          <span className="text-xs">
            <Time at={timestamp} />
          </span>
        </h2>
        <p dir="auto" className="me-auto max-w-[72ch] whitespace-pre-wrap">
          {inputText}
        </p>
      </div>
      <div className="flex flex-col gap-2">
        <h2 className="flex items-center gap-2 text-sm">
          <AgentMark id={agentSlug(agentName)} size={24} />
          <span className="min-w-0 truncate font-semibold">
            <SeenName name={agentName} />
          </span>
          {offline && <span className="shrink-0 font-normal text-muted text-xs">offline model</span>}
        </h2>
        {renderAnswer(message, inputText)}
        <SharedReceipt exchange={exchange} renderText={(text) => renderAnswer(text, '')} />
      </div>
    </article>
  );
}

const SOURCES = { person: 'Said earlier', agent: 'Answered earlier', file: 'A passage of a file', fact: 'Known' };

interface SharedReceiptProps {
  exchange: SharedExchange;
  renderText: (text: string) => ReactNode;
}

/** What an answer used, where its owner chose to show it. */
function SharedReceipt({ exchange: { memories, calls }, renderText }: SharedReceiptProps) {
  if (memories.length === 0 && calls.length === 0) return null;
  return (
    <details className="rounded border px-3 py-2 text-sm">
      <summary className="font-semibold text-muted touch:py-2.5">What this answer used</summary>
      <ul className="mt-2 flex flex-col gap-3">
        {memories.map(({ kind, text }, i) => (
          <li key={`memory ${i}`}>
            <p className="text-muted">{SOURCES[kind]}</p>
            {text !== '' && renderText(text)}
          </li>
        ))}
        {calls.map(({ name, input, failed }, i) => (
          <li key={`call ${i}`}>
            <p className="text-muted">
              Tool <span className="font-mono">{name}</span>
              {failed && ' (failed)'}
            </p>
            {input !== undefined && (
              <pre tabIndex={0} className="mt-1 overflow-x-auto rounded bg-sunken p-2 font-mono text-xs">
                {JSON.stringify(input, null, 2)}
              </pre>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
