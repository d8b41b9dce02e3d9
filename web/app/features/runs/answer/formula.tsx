import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { listenForCopies } from './copy-source.ts';
import type { renderFormula } from './render-formula.ts';

type Render = typeof renderFormula;
let render: Render | undefined;

/** A longer one is shown as its source. */
const LENGTH_MAX = 5_000;

export interface FormulaProps {
  tex: string;
  /** As written, with its marks: what a copy contains. */
  source: string;
  display: boolean;
}

/** A formula; its source while the part that draws it loads, and when it isn't valid. */
export const Formula = memo(function Formula({ tex, source, display }: FormulaProps) {
  const box = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState(false);
  const isReady = useRenderer();
  useLayoutEffect(() => {
    if (!isReady || render === undefined || !box.current) return;
    setDrawn(tex.length <= LENGTH_MAX && render(box.current, tex, display));
    // One that is wider than the text gets lines of its own, where it scrolls.
    const { scrollWidth, clientWidth } = box.current;
    box.current.toggleAttribute('data-wide', !display && scrollWidth > clientWidth + 1);
  }, [isReady, tex, display]);
  return (
    <span data-source={source} className={display ? 'formula-block' : 'formula'}>
      <span ref={box} hidden={!drawn} {...(display ? { role: 'group', tabIndex: 0, 'aria-label': 'Formula' } : {})} />
      {!drawn && <code>{source}</code>}
    </span>
  );
});

/** Whether the part that draws formulas is loaded; the first formula loads it. */
function useRenderer(): boolean {
  const [isReady, setReady] = useState(render !== undefined);
  useEffect(() => {
    listenForCopies();
    let current = true;
    import('./render-formula.ts')
      .then((part) => {
        render = part.renderFormula;
        if (current) setReady(true);
      })
      // The source is still readable.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, []);
  return isReady;
}
