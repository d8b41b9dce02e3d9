import type { Config } from '@react-router/dev/config';

/** Public pages, and the frame of a shared link, are written at build time; every other address is served the fallback page and rendered in the browser. */
export default {
  ssr: false,
  prerender: ['/', '/login', '/signup', '/contact', '/terms', '/privacy', '/shared/link'],
} satisfies Config;
