import type { Config } from '@react-router/dev/config';

/** Public pages are written at build time; every other address is served the fallback page and rendered in the browser. */
export default {
  ssr: false,
  prerender: ['/', '/login', '/signup', '/contact', '/terms', '/privacy'],
} satisfies Config;
