import { Fragment, Suspense, useEffect, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Download, Eye, EyeOff, WrapText } from '../../../ui/icons/lucide.ts';
import { useNear } from '../../../ui/list/use-near.ts';
import { part } from '../../../ui/part.tsx';

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
  const [wraps, setWraps] = useState(false);
  const [previews, setPreviews] = useState(false);
  const { name, ending } = languageOf(language);
  const lines = useHighlighted(code, ending, isNear && !live);
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
            <WrapText className={wraps ? 'size-4 text-ink' : 'size-4'} />
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

function useHighlighted(code: string, ending: string, wanted: boolean): Token[][] | null {
  const [done, setDone] = useState<{ code: string; lines: Token[][] | null } | null>(null);
  useEffect(() => {
    if (!wanted || ending === 'txt') return;
    let current = true;
    import('./highlight.ts')
      .then(({ highlight }) => highlight(code, ending))
      .then((lines) => current && setDone({ code, lines }))
      // Without colours the code is still complete.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [code, ending, wanted]);
  return done?.code === code ? done.lines : null;
}

/** Saves a text as a file on the person's machine. */
function saveText(name: string, text: string): void {
  // No type that a browser would open instead.
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

interface Language {
  name: string;
  /** Of a downloaded file. */
  ending: string;
}

const language = (ending: string, name: string, ...others: string[]): [string, Language][] =>
  [ending, name.toLowerCase(), ...others].map((key) => [key, { name, ending }]);

const LANGUAGES = new Map<string, Language>([
  ...language('sh', 'Shell', 'bash', 'zsh', 'console'),
  ...language('c', 'C'),
  ...language('cpp', 'C++', 'c++'),
  ...language('cs', 'C#', 'csharp'),
  ...language('css', 'CSS'),
  ...language('csv', 'CSV'),
  ...language('diff', 'Diff', 'patch'),
  ...language('go', 'Go', 'golang'),
  ...language('html', 'HTML', 'htm'),
  ...language('java', 'Java'),
  ...language('js', 'JavaScript', 'mjs', 'cjs'),
  ...language('json', 'JSON'),
  ...language('jsx', 'JSX'),
  ...language('kt', 'Kotlin'),
  ...language('md', 'Markdown'),
  ...language('mmd', 'Mermaid'),
  ...language('php', 'PHP'),
  ...language('ps1', 'PowerShell'),
  ...language('py', 'Python', 'python3'),
  ...language('rb', 'Ruby'),
  ...language('rs', 'Rust'),
  ...language('sql', 'SQL'),
  ...language('svg', 'SVG'),
  ...language('swift', 'Swift'),
  ...language('tex', 'TeX', 'latex'),
  ...language('toml', 'TOML'),
  ...language('ts', 'TypeScript'),
  ...language('tsx', 'TSX'),
  ...language('xml', 'XML'),
  ...language('yaml', 'YAML', 'yml'),
]);

/** A code block's language as people write it, and the ending of its file. */
const languageOf = (word: string): Language =>
  LANGUAGES.get(word.toLowerCase()) ?? { name: word === '' ? 'Text' : word.slice(0, 40), ending: 'txt' };

/** Whether a browser could show the code as a page or a picture. */
const isShowable = (word: string, code: string): boolean =>
  /^(?:x?html?|svg)$/i.test(word) || (/^xml$/i.test(word) && /<svg[\s>]/i.test(code));
