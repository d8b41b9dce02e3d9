// Shows a page or picture that an answer contains, without what could connect. It is shown in a frame inside of this one, without scripts;
// both may load nothing.
import { sanitize } from './sanitize.js';

addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.html !== 'string') return;
  const inner = document.createElement('iframe');
  inner.sandbox = '';
  inner.title = 'Preview';
  inner.srcdoc = sanitize(data.html);
  document.body.replaceChildren(inner);
});
parent.postMessage({ ready: true }, '*');
