import { Fragment, type RefObject, useEffect, useRef, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';

interface Token {
  content: string;
  offset: number;
  htmlStyle?: Record<string, string>;
}

export interface CodeBlockProps {
  code: string;
  /** The language of the fence, or empty. */
  language: string;
  /** Still being written: colours wait until it is complete. */
  live: boolean;
}

/** A block of code with its language, a copy button and, once loaded, colours. */
export function CodeBlock({ code, language, live }: CodeBlockProps) {
  const [box, isNear] = useNear();
  const lines = useHighlighted(code, language, isNear && !live);
  return (
    <div ref={box} className="my-4 overflow-hidden rounded-lg border bg-raised">
      <div className="flex min-h-10 items-center justify-between gap-2 border-b pr-1 pl-4">
        <span className="font-mono text-muted text-xs">{language || 'text'}</span>
        <CopyButton text={code} label="Copy code" />
      </div>
      <pre
        role="group"
        tabIndex={0}
        aria-label={`Code${language ? `, ${language}` : ''}`}
        className="overflow-x-auto px-4 py-3"
      >
        <code className="font-mono text-sm leading-6">
          {lines
            ? lines.map((line, i) => (
                <Fragment key={i}>
                  {line.map((token) => (
                    <span key={token.offset} style={token.htmlStyle}>
                      {token.content}
                    </span>
                  ))}
                  {'\n'}
                </Fragment>
              ))
            : code}
        </code>
      </pre>
    </div>
  );
}

/** Whether the element has come near the window: a long conversation colours only the code that is read. */
function useNear(): [RefObject<HTMLDivElement | null>, boolean] {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !box.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && setNear(true), {
      rootMargin: '100%',
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [box, isNear];
}

function useHighlighted(code: string, language: string, wanted: boolean): Token[][] | null {
  const [done, setDone] = useState<{ code: string; lines: Token[][] | null } | null>(null);
  useEffect(() => {
    if (!wanted || language === '') return;
    let current = true;
    import('./highlight.ts')
      .then(({ highlight }) => highlight(code, language))
      .then((lines) => current && setDone({ code, lines }))
      // Without colours the code is still complete.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [code, language, wanted]);
  return done?.code === code ? done.lines : null;
}
