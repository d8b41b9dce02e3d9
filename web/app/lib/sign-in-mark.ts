const KEY = 'signed-in';

/**
 * Runs before the first paint, inline beside the colour scheme's script: pages without the application show the way back to the
 * workshop to the person who was signed in, without asking the server and without moving anything.
 */
export const signInScript = `(()=>{try{if(localStorage.getItem('${KEY}'))document.documentElement.dataset.signedIn=''}catch{}})()`;

/** Remembers in this browser whether somebody is signed in; a hint for what is shown first, never a right to anything. */
export function markSignedIn(signedIn: boolean): void {
  document.documentElement.toggleAttribute('data-signed-in', signedIn);
  try {
    if (signedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is refused in some private windows; those pages then greet everybody as a stranger.
  }
}
