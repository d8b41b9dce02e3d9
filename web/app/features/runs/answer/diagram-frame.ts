import { version } from 'mermaid/package.json';
import { z } from 'zod';

/** A drawn diagram, as a picture that runs and loads nothing. */
export interface Picture {
  address: string;
  width: number;
  height: number;
}
export type Scheme = 'light' | 'dark';

/** How long Mermaid may take to come, and then to draw. */
const LOADING_MS = 90_000;
const DRAWING_MS = 20_000;
const answer = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ id: z.number(), svg: z.string(), width: z.number(), height: z.number() }),
  z.object({ id: z.number(), problem: z.string() }),
]);

interface Waiting {
  resolve: (picture: Picture) => void;
  reject: (error: Error) => void;
}

let frame: { ready: Promise<Window>; close: () => void } | undefined;
const waiting = new Map<number, Waiting>();
let requests = 0;

/** The frame in which Mermaid works: without our origin, cookies or network. It keeps its size out of sight, since it measures letters. */
function openFrame() {
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', 'allow-scripts');
  element.src = `/frames/diagram.html?v=${version}`;
  element.title = 'Draws diagrams';
  element.inert = true;
  element.ariaHidden = 'true';
  element.tabIndex = -1;
  element.className = 'pointer-events-none invisible fixed -left-[9999px] top-0 h-[800px] w-[1000px] print:hidden';
  const { promise: ready, resolve } = Promise.withResolvers<Window>();
  const hear = (event: MessageEvent) => {
    if (event.source !== element.contentWindow || element.contentWindow === null) return;
    const reply = answer.safeParse(event.data);
    if (!reply.success) return;
    if ('ready' in reply.data) return resolve(element.contentWindow);
    const one = waiting.get(reply.data.id);
    waiting.delete(reply.data.id);
    if ('problem' in reply.data) return one?.reject(new Error(reply.data.problem));
    const { svg, width, height } = reply.data;
    one?.resolve({ address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width, height });
  };
  addEventListener('message', hear);
  document.body.append(element);
  const close = () => {
    removeEventListener('message', hear);
    element.remove();
    frame = undefined;
  };
  return { ready, close };
}

let turn: Promise<unknown> = Promise.resolve();

/** Draws a diagram's source; throws when it is wrong, or takes too long. One after another, since Mermaid has one set of colours at a time. */
export function drawDiagram(source: string, scheme: Scheme): Promise<Picture> {
  const mine = turn.then(() => ask(source, scheme));
  turn = mine.catch(() => undefined);
  return mine;
}

async function ask(source: string, scheme: Scheme): Promise<Picture> {
  frame ??= openFrame();
  const { ready, close } = frame;
  requests += 1;
  const id = requests;
  const { promise, resolve, reject } = Promise.withResolvers<Picture>();
  const giveUp = () => {
    waiting.delete(id);
    // The frame may never recover: discard it.
    close();
    reject(new Error('Drawing took too long.'));
  };
  let timer = setTimeout(giveUp, LOADING_MS);
  waiting.set(id, { resolve, reject });
  void ready.then((target) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, DRAWING_MS);
    target.postMessage({ id, source, scheme }, '*');
  });
  return promise.finally(() => clearTimeout(timer));
}
