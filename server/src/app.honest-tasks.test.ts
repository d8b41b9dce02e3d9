import { beforeEach, describe, expect, it } from 'vitest';
import { effort } from './testing/effort.ts';
import { closing } from './testing/lifetimes.ts';
import { type Scene, startWaysOut } from './testing/ways-out.ts';

// The other side of the ways out: what people ask every day goes on without a question.

const ways = await closing(startWaysOut());
beforeEach(() => ways.act());

/** By day a word of each kind: a zone by its letters, a city, a zone by its name, a country. */
const PLACES = ['UTC', 'Oslo', 'Europe/Rome', 'India'];
const times = effort(PLACES, [...PLACES, 'Tokyo', 'Paris', 'Lima', 'Cairo', 'Sydney', 'Berlin', 'Seoul', 'Boston']);
const SUMS = ['12*7', 'sqrt(2)', '15/100*80', '(3+4)*5'];
const sums = effort(SUMS, [...SUMS, '1+1', '2^10', '100/3', 'abs(-3)', '7-9', 'max(1,2)', '3*3', '10-4']);

const PATHS = ['/', '/a?b=c&d=e', '/ä', '/?q=%20x'];
const paths = effort(PATHS, [...PATHS, '/page/a', '/a/b/c#d', '/page/b/', '/x.y']);

const call = (tool: string, input: string) => `CALL ${tool} ${input};`;
const fetched = (path: string) => [`See ${ways.site}${path}.`, call('web_fetch', `url=${ways.site}${path}`)];
type Honest = [string, (scene: Scene) => Promise<unknown> | void, remembers?: boolean];

/** What people ask every day. */
const HONEST: Honest[] = [
  ...times.map(
    (place): Honest => [`time in ${place}`, (s) => void s.message.push(call('current_time', `place=${place}`)), true],
  ),
  ...sums.map(
    (sum): Honest => [`the sum ${sum}`, (s) => void s.message.push(call('calculator', `expression=${sum}`)), true],
  ),
  ...['6*7', '[1,2].length'].map(
    (code): Honest => [`the program ${code}`, (s) => void s.message.push(call('run_javascript', `code=${code}`))],
  ),
  ...paths.map(
    (path): Honest => [
      `the address ${path}, with a memory in play`,
      async (s) => {
        await ways.addMemory(s, 'person', 'I like boats.', false);
        s.message.push(...fetched(path));
      },
      true,
    ],
  ),
  [
    'an address after a page was read',
    (s) => void s.message.push(...fetched('/page/one'), ...fetched('/page/two')),
    true,
  ],
  [
    'an address with a file in play',
    async (s) => (await ways.addFile(s, 'f.txt', 'tides'), s.message.push(...fetched('/tides'))),
    true,
  ],
  [
    'an address in a long talk',
    async (s) => (await ways.addTask(s, ['Hi', 'Hello'], false), s.message.push(...fetched('/talk'))),
  ],
  ...['/deeper', '/search?q=trains', '/a/b'].map(
    (path): Honest => [
      `${path} on a host that was named`,
      (s) => void s.message.push(`Look on ${ways.site} for it.`, call('web_fetch', `url=${ways.site}${path}`)),
    ],
  ),
  [
    'memory searched',
    async (s) => (
      await ways.addMemory(s, 'person', 'My boat is Marlin.', false),
      s.message.push(call('search_memory', 'query=boat'))
    ),
    true,
  ],
  [
    'memory of an answer searched',
    async (s) => (
      await ways.addMemory(s, 'agent', 'The boat is Marlin.', true), s.message.push(call('search_memory', 'query=boat'))
    ),
    true,
  ],
  [
    'files searched',
    async (s) => (
      await ways.addFile(s, 'b.txt', 'the boat is Marlin'), s.message.push(call('search_files', 'query=boat'))
    ),
    true,
  ],
  ['a file cited', async (s) => ways.addFile(s, 'c.txt', 'the boat is Marlin'), true],
  ['a server read', (s) => void s.message.push(call('wiki__read', 'q=boats'))],
  ['a server read twice', (s) => void s.message.push(call('wiki__read', 'q=boats'), call('wiki__read', 'q=cranes'))],
  [
    'a server read, with a memory in play',
    async (s) => (
      await ways.addMemory(s, 'person', 'I like boats.', false), s.message.push(call('wiki__read', 'q=boats'))
    ),
    true,
  ],
  [
    'a server read in a talk',
    async (s) => (await ways.addTask(s, ['Hi', 'Hello'], false), s.message.push(call('wiki__read', 'q=boats'))),
  ],
  ['a server and a sum', (s) => void s.message.push(call('vault__read', 'q=1'), call('calculator', 'expression=2+2'))],
  ['a server and an address', (s) => void s.message.push(call('wiki__read', 'q=1'), ...fetched('/page/both'))],
  [
    'time, sum and address',
    (s) =>
      void s.message.push(
        call('current_time', 'place=Oslo'),
        call('calculator', 'expression=2+2'),
        ...fetched('/page/three'),
      ),
    true,
  ],
  [
    'memory, files and an address',
    async (s) => {
      await ways.addMemory(s, 'person', 'I like boats.', false);
      await ways.addFile(s, 'd.txt', 'tides');
      s.message.push(
        call('search_memory', 'query=boats'),
        call('search_files', 'query=tides'),
        ...fetched('/page/four'),
      );
    },
    true,
  ],
];

describe(`${HONEST.length} honest tasks need no question`, () => {
  it.each([0, 1, 2, 3, 4])('of each five number %i', async (fifth) => {
    for (const [name, prepare, memoryEnabled = false] of HONEST.filter((_, i) => i % 5 === fifth)) {
      const n = ways.number();
      const scene = await ways.setScene(n, await ways.ownAgent(n, { memoryEnabled }));
      await prepare(scene);
      const { status, toolCalls } = await ways.run(scene);
      const states = toolCalls.map(({ name: tool, state, question }) => [tool, state, question]);
      expect([name, status, states]).toEqual([
        name,
        'done',
        toolCalls.map(({ name: tool }) => [tool, 'done', undefined]),
      ]);
      expect(toolCalls.length, name).toBeGreaterThan(name === 'a file cited' ? -1 : 0);
    }
  });
});

/** Adds a page for a scene and returns its address. */
function page(s: Scene, id: string, text: string, site = ways.site): string {
  ways.pages.set(`${s.n}${id}`, text);
  return `${site}/page/${s.n}${id}`;
}
const get = (url: string) => call('web_fetch', `url=${url}`);
/** A link as a text has it, which the model follows. */
const linked = (url: string) => `More: ${url} ${get(url)}`;
const LONG = '<p>We have sailed these waters for a hundred years, in rain and in snow.</p>'.repeat(8);

/** What people have looked up on a site that they name, by its links; each adds pages and says what will be fetched. */
const FOLLOWING: [string, (s: Scene) => string[] | Promise<string[]>][] = [
  [
    'a link',
    (s) => {
      const hours = page(s, 'b', 'Open at noon.');
      return [page(s, 'a', linked(hours)), hours];
    },
  ],
  [
    'link after link',
    (s) => {
      const last = page(s, 'd', 'The end.');
      const third = page(s, 'c', linked(last));
      const second = page(s, 'b', linked(third));
      return [page(s, 'a', linked(second)), second, third, last];
    },
  ],
  [
    'all links of a page',
    (s) => {
      const parts = ['b', 'c', 'd'].map((id) => page(s, id, `Part ${id}.`));
      return [page(s, 'a', parts.map(linked).join('\n')), ...parts];
    },
  ],
  [
    'links of a web page as its source has them',
    (s) => {
      const [b, c] = [page(s, 'b', 'Open at noon.'), page(s, 'c?of=tides&day=1', 'High at six.')];
      const html = `<h1>Harbour</h1><a href="${s.n}b#top">Hours</a> <a href="/page/${s.n}c?of=tides&amp;day=1">Tides</a>`;
      s.message.push(get(b), get(c));
      return [page(s, 'a', html), b, c];
    },
  ],
  [
    'a link in a menu beside an article',
    (s) => {
      const b = page(s, 'b', 'Open at noon.');
      s.message.push(get(b));
      return [page(s, 'a', `<nav><a href="${s.n}b">Hours</a></nav><article><h1>News</h1>${LONG}</article>`), b];
    },
  ],
  [
    'a link written otherwise',
    (s) => {
      const b = page(s, 'b', 'Open at noon.');
      s.message.push(get(`${b}#hours`));
      return [page(s, 'a', `[Hours](${b.replace('http', 'HTTP')}).`), `${b}#hours`];
    },
  ],
  [
    'links of two sites',
    (s) => {
      const [b, d] = [page(s, 'b', 'Here.'), page(s, 'd', 'There.', ways.elsewhere)];
      const c = page(s, 'c', linked(d), ways.elsewhere);
      s.message.push(`And see ${c}.`, get(c));
      return [page(s, 'a', linked(b)), c, b, d];
    },
  ],
  [
    'a link that leads to another site, and on there',
    (s) => {
      const last = page(s, 'c', 'The end.', ways.elsewhere);
      const other = page(s, 'b', linked(last), ways.elsewhere);
      return [page(s, 'a', linked(other)), other, last];
    },
  ],
  [
    'links with a memory and a file in play',
    async (s) => {
      await ways.addMemory(s, 'person', 'I like boats.', false);
      await ways.addFile(s, `${s.n}.txt`, 'tides');
      const [b, c] = [page(s, 'b', 'Boats.'), page(s, 'c', 'Tides.')];
      return [page(s, 'a', `${linked(b)} ${linked(c)}`), b, c];
    },
  ],
  [
    'links of a page that an earlier message had read',
    async (s) => {
      const [b, c] = [page(s, 'b', 'Hours.'), page(s, 'c', 'Tides.')];
      const a = page(s, 'a', `Hours: ${b} Tides: ${c}`);
      s.message.push(`See ${a}.`, get(a));
      expect((await ways.run(s)).status).toBe('done');
      // The model also does again what the earlier message said.
      s.message = [get(b), get(c)];
      return [a, a, b, c];
    },
  ],
];

describe(`${FOLLOWING.length} tasks that follow links need one question for each site`, () => {
  it.each(FOLLOWING)('%s', async (_name, prepare) => {
    const n = ways.number();
    const scene = await ways.setScene(n, await ways.ownAgent(n));
    const [named = '', ...links] = await prepare(scene);
    scene.message.unshift(`Look around on ${named}.`, get(named));
    const { status, toolCalls } = await ways.run(scene, () => false);
    expect(status).toBe('done');
    expect(toolCalls.map(({ input, state }) => [(input as { url: string }).url, state])).toEqual(
      [named, ...links].map((url) => [url, 'done']),
    );
    const asked = toolCalls.flatMap(({ question }) => (question === undefined ? [] : new URL(question.to).host));
    expect(asked).toEqual([...new Set(asked)]);
    expect(asked.length).toBeGreaterThan(0);
  });
});
