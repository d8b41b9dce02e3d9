/** A person's choice; `system` follows the machine. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'theme';
const listeners = new Set<() => void>();

/**
 * Runs before the first paint, so the wrong scheme never flashes. Inline in the page, allowed by its hash in the content security policy;
 * also used by pages without other scripts.
 */
export const themeScript = `(()=>{const d=document.documentElement,m=matchMedia('(prefers-color-scheme: dark)');const apply=()=>{let c;try{c=localStorage.getItem('${KEY}')}catch{}d.dataset.theme=c==='light'||c==='dark'?c:m.matches?'dark':'light'};apply();m.addEventListener('change',apply);addEventListener('storage',apply)})()`;

/** The stored choice; `system` without one, or when storage is refused. */
export function readTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** Stores the choice and applies it at once, in every tab. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    // Some private windows refuse storage; the choice then lasts for this page.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = choice === 'system' ? (dark ? 'dark' : 'light') : choice;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export function subscribeTheme(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
