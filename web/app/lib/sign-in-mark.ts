const KEY = 'signed-in';

/**
 * Runs before the first paint, inline beside the colour scheme's script: pages without the application show signed-in people the way back
 * to the workshop, without asking the server or moving anything.
 */
export const signInScript = `(()=>{try{if(localStorage.getItem('${KEY}'))document.documentElement.dataset.signedIn=''}catch{}})()`;

/** Remembers in this browser whether somebody is signed in: a hint for what to show first, never a permission. */
export function markSignedIn(signedIn: boolean): void {
  document.documentElement.toggleAttribute('data-signed-in', signedIn);
  try {
    if (signedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Some private windows refuse storage; those pages then greet everyone as a stranger.
  }
}
