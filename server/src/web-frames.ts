const FRAMES = '/frames/';
const MERMAID = '/assets/mermaid-';

/** Pages that show what an answer contains, framed by our own pages: each has an origin of its own and may load nothing else. */
export const isFrame = (path: string) => path.startsWith(FRAMES);

/** What such a page loads. Its origin is a foreign one to us, so this must be readable from everywhere; it is the same for everyone. */
export const isFramePart = (path: string) => isFrame(path) || path.startsWith(MERMAID);

/** The policy of a frame. What an answer contains is shown in a frame inside, which inherits it and has no scripts. */
export const framePolicy = (path: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    ...(path === `${FRAMES}preview.html` ? ['img-src data:', 'font-src data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ');
