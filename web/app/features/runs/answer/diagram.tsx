import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useNear } from '../../../ui/list/use-near.ts';
import { Enlarge } from '../attachments/enlarge.tsx';
import { CodeBlock } from './code-block.tsx';
import { listenForCopies } from './copy-source.ts';
import type { Picture, Scheme } from './diagram-frame.ts';

type State = { source: string; scheme: Scheme } & ({ picture: Picture } | { failed: true });

/** A diagram as a picture with its source; only the source, with a sentence, when it can't be drawn. */
export const Diagram = memo(function Diagram({ source }: { source: string }) {
  const [box, isNear] = useNear();
  const drawn = useDrawn(source, isNear);
  const [showing, setShowing] = useState(false);
  const failed = drawn !== undefined && 'failed' in drawn && drawn.source === source;
  if (failed) {
    return (
      <>
        <p role="note" className="text-muted text-sm">
          This diagram can’t be drawn. Here is its source.
        </p>
        <CodeBlock code={source} language="mermaid" live={false} />
      </>
    );
  }
  const picture = drawn !== undefined && 'picture' in drawn && drawn.source === source ? drawn.picture : undefined;
  return (
    <div ref={box} data-block="" data-source={`\`\`\`mermaid\n${source}\n\`\`\``} className="my-4 break-inside-avoid">
      <div
        role="group"
        aria-label="Diagram"
        tabIndex={0}
        className="grid min-h-32 overflow-x-auto rounded-lg border bg-raised p-4"
      >
        {picture ? (
          <Enlarge
            picture={{ ...picture, url: picture.address, name: nameOf(source), drawn: true }}
            className="m-auto max-w-full cursor-zoom-in"
          >
            <img
              src={picture.address}
              width={picture.width}
              height={picture.height}
              alt={nameOf(source)}
              className="h-auto max-w-full"
              style={{ minWidth: Math.min(picture.width, 480) }}
            />
          </Enlarge>
        ) : (
          <>
            <p role="status" className="m-auto text-muted text-sm print:hidden">
              Drawing the diagram…
            </p>
            <pre className="hidden whitespace-pre-wrap print:block">{source}</pre>
          </>
        )}
      </div>
      <div data-tools="" className="print:hidden">
        <Button size="sm" variant="ghost" aria-expanded={showing} onClick={() => setShowing(!showing)}>
          {showing ? 'Hide source' : 'Show source'}
        </Button>
        {showing && <CodeBlock code={source} language="mermaid" live={false} />}
      </div>
    </div>
  );
});

const TITLES = ['accTitle:', 'accTitle :', 'title:', 'title '];

/** What the diagram says of itself, or its kind. */
function nameOf(source: string): string {
  const lines = source.split('\n').map((line) => line.trim());
  const titled = lines.flatMap((line) => {
    const mark = TITLES.find((title) => line.startsWith(title));
    return mark === undefined ? [] : [line.slice(mark.length).trim()];
  });
  const own = titled.find((title) => title !== '');
  if (own !== undefined) return `Diagram: ${own.slice(0, 120)}`;
  // Settings may stand before it, between two lines of hyphens.
  const begin = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0;
  const first = lines.slice(begin).find((line) => line !== '' && !line.startsWith('%%'));
  const kind = /^[a-z][\w-]*/iu.exec(first ?? '')?.[0];
  return kind === undefined ? 'Diagram' : `Diagram (${kind}), described by its source`;
}

function useDrawn(source: string, isNear: boolean): State | undefined {
  const scheme = useScheme();
  const [drawn, setDrawn] = useState<State>();
  useEffect(() => {
    if (!isNear) return;
    listenForCopies();
    let current = true;
    const set = (state: State) => current && setDrawn(state);
    import('./diagram-frame.ts')
      .then(({ drawDiagram }) => drawDiagram(source, scheme))
      .then(
        (picture) => set({ source, scheme, picture }),
        () => set({ source, scheme, failed: true }),
      );
    return () => {
      current = false;
    };
  }, [source, scheme, isNear]);
  return drawn;
}

function followTheme(changed: () => void) {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
const schemeNow = (): Scheme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');
const useScheme = () => useSyncExternalStore(followTheme, schemeNow, (): Scheme => 'light');
