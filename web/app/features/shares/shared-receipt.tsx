import type { SharedExchange } from '@atelier/contract/shares';
import type { ReactNode } from 'react';

const SOURCES = { person: 'Said earlier', agent: 'Answered earlier', file: 'A passage of a file', fact: 'Known' };

export interface SharedReceiptProps {
  exchange: SharedExchange;
  renderText: (text: string) => ReactNode;
}

/** What an answer used, where its owner chose to show it. */
export function SharedReceipt({ exchange: { memories, calls }, renderText }: SharedReceiptProps) {
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
