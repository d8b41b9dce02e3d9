import katex from 'katex';
import 'katex/dist/katex.min.css';

/** Draws a formula into an element; false when it isn't valid TeX. It can't link, load or run anything, and its size is bounded. */
export function renderFormula(box: HTMLElement, tex: string, display: boolean): boolean {
  try {
    katex.render(tex, box, {
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: 20,
      maxExpand: 200,
    });
    return true;
  } catch {
    // Also catches a stack overflow from deeply nested braces.
    box.replaceChildren();
    return false;
  }
}
