let isListening = false;

/** From now on a copied selection contains the source of formulas and diagrams, not their drawn signs. */
export function listenForCopies(): void {
  if (isListening) return;
  isListening = true;
  document.addEventListener('copy', (event) => {
    const text = selectedText();
    if (text === null || event.clipboardData === null) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  });
}

const drawnAround = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest('[data-source]');

/** A source as it is written; one of several lines on lines of its own. */
function written(source: string): HTMLElement {
  const box = document.createElement(source.includes('\n') ? 'div' : 'span');
  box.className = 'whitespace-pre-wrap';
  box.textContent = source;
  return box;
}

/** The selected text with sources; null when it contains nothing drawn. */
function selectedText(): string | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const [first, last] = [drawnAround(range.startContainer), drawnAround(range.endContainer)];
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  const copied = range.cloneContents();
  const drawn = copied.querySelectorAll<HTMLElement>('[data-source]');
  if (drawn.length === 0) return null;
  for (const one of drawn) one.replaceWith(written(one.dataset.source ?? ''));
  for (const tool of copied.querySelectorAll('[data-tools]')) tool.remove();
  const box = document.createElement('div');
  // Only what has a layout knows its lines.
  box.className = 'pointer-events-none fixed -left-[9999px] top-0';
  box.append(copied);
  document.body.append(box);
  const text = box.innerText;
  box.remove();
  return text;
}
