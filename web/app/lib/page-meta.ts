import { PRODUCT_NAME } from '@atelier/contract/product';

/** Title and description of a page for signed-in users. */
export const ownPageMeta = (title: string) => [
  { title: `${title} · ${PRODUCT_NAME}` },
  { name: 'description', content: `${title}, in ${PRODUCT_NAME}: a workshop for AI agents that remember.` },
];

/** Title, description and preview of a public page. Addresses are paths here; the server, which knows its own address, completes them. */
export function pageMeta(title: string, description: string, path: string) {
  const full = title === '' ? `${PRODUCT_NAME}: a workshop for AI agents that remember` : `${title} · ${PRODUCT_NAME}`;
  return [
    { title: full },
    { name: 'description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: PRODUCT_NAME },
    { property: 'og:title', content: full },
    { property: 'og:description', content: description },
    { property: 'og:url', content: path },
    { property: 'og:image', content: '/preview.png' },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: `${PRODUCT_NAME}: an answer in the runtime, with the memory it used` },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}

/**
 * Delays the first paint until the whole page is there: a centred page parsed in parts moves as it grows. For short pages whose outermost
 * element has this id; other browsers paint as before.
 */
export const WHOLE = 'whole';
export const paintedWhole = () => [{ rel: 'expect', href: `#${WHOLE}`, blocking: 'render' as const }];
