import { attempt } from './typed/words.ts';

const KEY = 'signed-in';

/**
 * Runs before the first paint, inline beside the colour scheme's script: pages without the application show signed-in people the way back
 * to the workshop, without asking the server or moving anything.
 */
export const signInScript = `(()=>{try{const p=localStorage.getItem('${KEY}');if(p)document.documentElement.dataset.signedIn=p}catch{}})()`;

/** Remembers in this browser the plan of who is signed in, null for nobody: a hint for what to show first, never a permission. */
export function markSignedIn(plan: string | null): void {
  if (plan === null) delete document.documentElement.dataset.signedIn;
  else document.documentElement.dataset.signedIn = plan;
  // Some private windows refuse storage; those pages then greet everyone as a stranger.
  attempt(() => (plan === null ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, plan)));
}
