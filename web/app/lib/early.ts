import { PAGE_SIZES } from './page-sizes.ts';

/** Answers requested before the application ran, by path; each is used once. */
declare global {
  interface Window {
    early?: Record<string, Promise<Response>>;
    /** Ends these requests, also those whose answers are waited for. */
    earlyEnd?: AbortController;
    /** Fulfilled once the page needs the application to show what came early, which only then loads. */
    firstWords?: Promise<void> | undefined;
  }
}

/** Older answers are requested again; in milliseconds since the page began to load. */
const EARLY_MS = 10_000;

/**
 * Tells Zod, before any schema exists, not to test whether it may generate code: the content security policy forbids it, and the browser
 * would report the attempt. Then, inline in the page and allowed by its hash, it asks who is signed in and requests the first screen's
 * data, or only what a link shares, while the application loads. `request` finds the answers by path; an unused one costs a small request.
 */
export const earlyScript = `window.__zod_globalConfig={jitless:true};(()=>{const early=window.early={},{signal}=window.earlyEnd=new AbortController();const get=p=>{const a=early[p]=fetch(p,{signal});a.catch(()=>{});return a};if(/^\\/shared\\/[^/]+$/.test(location.pathname)){get('/api'+location.pathname);return}get('/api/auth/get-session').then(a=>a.clone().json()).then(s=>{if(!s)return;get('/api/me');if(location.pathname==='/explore'&&!location.search){get('/api/explore?limit=${PAGE_SIZES.explore}');get('/api/explore/tags')}if(location.pathname!=='/runtime')return;get('/api/agents?limit=${PAGE_SIZES.agents}');get('/api/sessions?limit=${PAGE_SIZES.sessions}&folderId=none');const id=new URLSearchParams(location.search).get('sessionId');if(!id)return;const at='/api/sessions/'+encodeURIComponent(id);get(at+'/tasks?limit=${PAGE_SIZES.tasks}');get(at+'/queue')}).catch(()=>{})})()`;

/** Drops early answers: they belong to another user, or are too old. */
export function forgetEarly(): void {
  delete window.early;
}

/** Ends what was requested early: after a sign-out it would be refused. */
export function endEarly(): void {
  window.earlyEnd?.abort();
  forgetEarly();
}

/** The early answer for `path`, if there is one; aborts with `signal`. */
export function takeEarly(path: string, signal: AbortSignal | undefined): Promise<Response> | undefined {
  const answer = globalThis.window?.early?.[path];
  if (answer === undefined) return undefined;
  delete window.early?.[path];
  if (performance.now() > EARLY_MS) return undefined;
  return untilAborted(answer, signal);
}

/** What `promise` gives; rejects with the signal's reason as soon as that aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted.promise]);
}
