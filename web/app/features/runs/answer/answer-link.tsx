import { createContext, type ReactNode, useContext, useState } from 'react';
import { later } from '../../../ui/later.tsx';
import { isWritten, linkAddress } from './safe-address.ts';

// Most addresses are never opened.
const OpenAddress = later(() => import('./open-address.tsx'));

/** What the person wrote before the answer: an address in it needs no question. */
export const WrittenWords = createContext('');

/**
 * A link in an answer: only to the web, never into our pages or to anything that runs. Its address may contain private data, so the whole
 * address is shown before it opens, unless the person wrote it. Until then the page contains no link that a browser could follow or look
 * up.
 */
export function AnswerLink({ href, children }: { href: string | undefined; children?: ReactNode }) {
  const words = useContext(WrittenWords);
  const address = linkAddress(href);
  if (address === null) return <span>{children}</span>;
  if (!isWritten(address, words)) return <AskingLink address={address}>{children}</AskingLink>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

function AskingLink({ address, children }: { address: string; children?: ReactNode }) {
  const [asking, setAsking] = useState(false);
  const open = () => {
    setAsking(false);
    window.open(address, '_blank', 'noopener,noreferrer');
  };
  return (
    <>
      <span
        role="link"
        tabIndex={0}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.stopPropagation();
          setAsking(true);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Otherwise the same key press would answer the question, which has the focus by then.
          event.preventDefault();
          setAsking(true);
        }}
      >
        {children}
      </span>
      <OpenAddress open={asking} onOpenChange={setAsking} address={address} onConfirm={open} />
    </>
  );
}
