import { PAGE_SIZES } from './page-sizes.ts';

/** Answers that were asked for before the application ran, by path; each is taken once. */
declare global {
  interface Window {
    early?: Record<string, Promise<Response>>;
  }
}

/** An answer older than this is asked for again, in milliseconds since the page began to load. */
const EARLY_MS = 10_000;

/**
 * Tells Zod, before any schema is made, not to try whether it may write code: the content security policy forbids it, and the browser
 * would report the attempt. Then it runs while the application is still on its way, inline in the page and allowed by its hash: asks who is signed in and then, in one go,
 * for what the first screen shows. `request` finds the answers by their paths; what nobody asks for costs one small request.
 */
export const earlyScript = `window.__zod_globalConfig={jitless:true};(()=>{const early=window.early={};const get=p=>{const a=early[p]=fetch(p);a.catch(()=>{});return a};get('/api/auth/get-session').then(a=>a.clone().json()).then(s=>{if(!s)return;get('/api/me');if(location.pathname!=='/runtime')return;get('/api/agents?limit=${PAGE_SIZES.agents}');get('/api/sessions?limit=${PAGE_SIZES.sessions}');const id=new URLSearchParams(location.search).get('sessionId');if(id)get('/api/sessions/'+encodeURIComponent(id)+'/tasks?limit=${PAGE_SIZES.tasks}')}).catch(()=>{})})()`;

/** Drops what was asked for early: in the name of somebody else, or too long ago to be true. */
export function forgetEarly(): void {
  delete window.early;
}

/** The answer that is already on its way to `path`, if there is one; ends early where `signal` does. */
export function takeEarly(path: string, signal: AbortSignal | undefined): Promise<Response> | undefined {
  const answer = globalThis.window?.early?.[path];
  if (answer === undefined) return undefined;
  delete window.early?.[path];
  if (performance.now() > EARLY_MS) return undefined;
  if (signal === undefined) return answer;
  const ended = Promise.withResolvers<Response>();
  signal.addEventListener('abort', () => ended.reject(signal.reason), { once: true });
  return Promise.race([answer, ended.promise]);
}
