import icons from '@iconify-json/lucide/icons.json' with { type: 'json' };
import { normalizePath, type Plugin } from 'vite';

const MODULE = '~icons/';
const iconFile = normalizePath(`${import.meta.dirname}/app/ui/icons/icon.tsx`);
/** What every icon of Lucide says; the component says it once, where a class can overrule it. */
const SAID_ONCE = ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';
const drawings: Record<string, { body: string }> = icons.icons;
const otherNames: Record<string, { parent: string }> = icons.aliases;

/** Makes a component of `~icons/NAME`, an icon of Lucide: its package of components takes 51 MB for the sixty that are used. */
export const iconComponents: Plugin = {
  name: 'icon-components',
  resolveId: (id) => (id.startsWith(MODULE) ? `\0${id}` : null),
  load(id) {
    if (!id.startsWith(`\0${MODULE}`)) return null;
    const name = id.slice(MODULE.length + 1);
    const drawing = drawings[otherNames[name]?.parent ?? name];
    if (drawing === undefined) throw new Error(`Lucide has no icon “${name}”`);
    const body = JSON.stringify(drawing.body.replace(SAID_ONCE, ''));
    return `import { iconOf } from ${JSON.stringify(iconFile)};\nexport default /* @__PURE__ */ iconOf(${body});`;
  },
};
