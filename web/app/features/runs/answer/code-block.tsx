import { Fragment, Suspense, useEffect, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Download, Eye, EyeOff, WrapText } from '../../../ui/icons/lucide.ts';
import { useNear } from '../../../ui/list/use-near.ts';
import { part } from '../../../ui/part.tsx';
import { isShowable, languageOf } from './language-names.ts';
import { saveText } from './save-text.ts';

const PreviewFrame = part(() => import('./preview-frame.tsx'));

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

/** A block of code with its language, what can be done with it and, once loaded, colours. */
export function CodeBlock({ code, language, live }: CodeBlockProps) {
  const [box, isNear] = useNear();
  const lines = useHighlighted(code, language, isNear && !live);
  const [wraps, setWraps] = useState(false);
  const [previews, setPreviews] = useState(false);
  const { name, ending } = languageOf(language);
  return (
    <div ref={box} data-block="" dir="ltr" className="my-4 overflow-clip rounded-lg border bg-raised">
      {/* It stays in sight while a long block is read. */}
      <div
        data-tools=""
        className="sticky top-0 z-10 flex min-h-10 items-center justify-between gap-2 border-b bg-raised pr-1 pl-4"
      >
        <span className="min-w-0 truncate font-mono text-muted text-xs">{name}</span>
        <span className="flex shrink-0 print:hidden">
          {!live && isShowable(language, code) && (
            <IconButton
              size="sm"
              label={previews ? 'Hide preview' : 'Show preview'}
              aria-pressed={previews}
              onClick={() => setPreviews(!previews)}
              Icon={previews ? EyeOff : Eye}
            />
          )}
          <IconButton size="sm" label="Wrap lines" aria-pressed={wraps} onClick={() => setWraps(!wraps)}>
            <WrapText aria-hidden="true" className={wraps ? 'size-4 text-ink' : 'size-4'} />
          </IconButton>
          <IconButton
            size="sm"
            label="Download code"
            onClick={() => saveText(`code.${ending}`, code)}
            Icon={Download}
          />
          <CopyButton text={code} label="Copy code" />
        </span>
      </div>
      {previews && !live && (
        <Suspense fallback={<div className="h-80" />}>
          <PreviewFrame code={code} />
        </Suspense>
      )}
      <pre
        role="group"
        tabIndex={0}
        aria-label={`Code${language ? `, ${language}` : ''}`}
        data-wraps={wraps || undefined}
        className="overflow-x-auto px-4 py-3 data-wraps:whitespace-pre-wrap data-wraps:[overflow-wrap:anywhere] print:whitespace-pre-wrap"
      >
        <code className="font-mono text-sm leading-6">{lines ? <Coloured lines={lines} /> : code}</code>
      </pre>
    </div>
  );
}

const Coloured = ({ lines }: { lines: Token[][] }) =>
  lines.map((line, i) => (
    <Fragment key={i}>
      {line.map((token) => (
        <span key={token.offset} style={token.htmlStyle}>
          {token.content}
        </span>
      ))}
      {'\n'}
    </Fragment>
  ));

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
