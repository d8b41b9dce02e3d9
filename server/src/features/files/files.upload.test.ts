import { connect, type Socket } from 'node:net';
import { FILE_LIMITS, fileAnswer } from '@atelier/contract/files';
import { serve } from '@hono/node-server';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { FILES, filesOf } from '../../testing/files.ts';
import { ORIGIN, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { GIF, notedPicture } from '../../testing/pictures.ts';
import { agentFiles } from './files.table.ts';

const at = FILES;
const { list, onDisk, upload } = filesOf(
  () => app,
  () => ada,
);
const app = await closing(testApp());
// Nothing is read by itself: this is about what is stored.
await app.deps.jobs.stop();
const ada = await app.signUpPro('Ada');
await app.request('POST', '/api/agents', { as: ada, body: { name: 'Reader', prompt: 'You read.' } });

describe('an upload that breaks off', () => {
  it.each(['file', 'other'])('in the field %s is refused, and the server lives on', async (field) => {
    const body = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="a.txt"\r\n\r\nHalf a`;
    const headers = { origin: ORIGIN, cookie: ada.cookie, 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await app.app.request(`${ORIGIN}${at}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await onDisk()).toEqual([]);
  });
});

it('leaves no bytes of a file whose row went away while they came', async () => {
  const { move } = app.deps.storage;
  const spy = vi.spyOn(app.deps.storage, 'move').mockImplementationOnce(async (...file) => {
    await move(...file);
    await app.deps.db.delete(agentFiles);
  });
  expect((await upload('gone.txt', 'Nobody knows of it.')).status).toBe(404);
  expect(spy).toHaveBeenCalledOnce();
  expect(await onDisk()).toEqual([]);
});

describe('an upload of 2 GB', () => {
  const head = (length: string) =>
    `POST ${at} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${ORIGIN}\r\nCookie: ${ada.cookie}\r\nContent-Type: multipart/form-data; boundary=x\r\n${length}\r\n\r\n`;
  const PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="huge.txt"\r\n\r\n';

  /** Sends for as long as the other side takes it; gives the answer and how much it took. */
  async function pour(lengthHeader: string, chunked: boolean) {
    const server = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise<void>((done) => server.once('listening', () => done()));
    const address = server.address();
    const socket: Socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
    let answer = '';
    let sent = 0;
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.on('error', () => {});
    socket.on('data', (chunk) => (answer += chunk));
    const piece = Buffer.alloc(256 * 1024, 'x');
    const framed = (data: Buffer | string) =>
      chunked
        ? Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), Buffer.from(data), Buffer.from('\r\n')])
        : data;
    socket.write(head(lengthHeader));
    socket.write(framed(PART));
    const more = () => {
      while (sent < 2 ** 31 && !socket.destroyed && answer === '') {
        sent += piece.length;
        if (!socket.write(framed(piece))) return void socket.once('drain', more);
      }
    };
    more();
    await Promise.race([closed, eventually(async () => expect(answer).toContain('}}'))]);
    socket.destroy();
    await new Promise((done) => server.close(done));
    return { answer, sent };
  }

  it.each([
    ['that says its length', `Content-Length: ${2 ** 31}`, false],
    ['that does not', 'Transfer-Encoding: chunked', true],
  ])('%s is refused early, and nothing is kept', async (_what, lengthHeader, chunked) => {
    const { answer, sent } = await pour(lengthHeader, chunked);
    expect(answer).toMatch(/^HTTP\/1.1 413/);
    expect(answer).toContain('at most 10 MB');
    // A connection that ends at once takes the answer with it before the sender has read it.
    expect(answer).not.toMatch(/^connection: close/im);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    await eventually(async () => expect(await onDisk()).toEqual([]));
    expect(await list()).toEqual([]);
  });
});

it('takes exactly 10 MiB, and not a byte more', async () => {
  const most = Buffer.alloc(FILE_LIMITS.bytes, 'All work and no play. ');
  const taken = await upload('most.txt', most);
  expect([taken.status, taken.body.file?.size]).toEqual([201, FILE_LIMITS.bytes]);
  const more = await upload('more.txt', Buffer.concat([most, Buffer.from('x')]));
  expect([more.status, more.body.error.message]).toEqual([413, 'A file can have at most 10 MB.']);
});

it.each([
  ['no UTF-8', Buffer.from('h\xe9llo.txt', 'latin1'), 'héllo.txt'],
  ['UTF-8', Buffer.from('日本 🚢.txt'), '日本 🚢.txt'],
  ['a NUL', Buffer.from('a\0b.txt'), 'a_b.txt'],
  ['control characters only', Buffer.from([1, 2, 3]), '___'],
  ['half of a pair of quotation marks', Buffer.from('a%22b.txt'), 'a"b.txt'],
])('a name of %s is kept as well as it can be', async (_what, bytes, shown) => {
  const body = Buffer.concat([
    Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="'),
    bytes,
    Buffer.from('"\r\n\r\nHello.\r\n--x--\r\n'),
  ]);
  const headers = { origin: ORIGIN, cookie: ada.cookie, 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await app.app.request(`${ORIGIN}${at}`, { method: 'POST', headers, body });
  const { file } = fileAnswer.parse(await answer.json());
  expect([answer.status, file.name]).toEqual([201, shown]);
});

it('a picture leaves its place behind', async () => {
  const { id, size } = (await upload('photo.jpg', notedPicture('photo.jpg'))).body.file;
  const file = await app.app.request(`${ORIGIN}${at}/${id}`, { headers: { cookie: ada.cookie } });
  const kept = Buffer.from(await file.arrayBuffer());
  expect([kept.includes('Elm Street'), kept.includes('GPS'), kept.length]).toEqual([false, false, size]);
  expect((await upload('dot.gif', GIF)).body.file.type).toBe('image/gif');
});

it('a picture that a camera filled up leaves it behind too, and one that can’t be followed is refused', async () => {
  const noted = notedPicture('photo.jpg');
  // A marker may be preceded by any number of 0xff (ITU T.81, B.1.1.2).
  const filled = Buffer.concat([noted.subarray(0, 2), Buffer.of(0xff), noted.subarray(2)]);
  const { id } = (await upload('filled.jpg', filled)).body.file;
  const file = await app.app.request(`${ORIGIN}${at}/${id}`, { headers: { cookie: ada.cookie } });
  expect(Buffer.from(await file.arrayBuffer()).includes('Elm Street')).toBe(false);
  for (const [name, whole] of [
    ['cut.png', notedPicture('shot.png')],
    ['cut.webp', notedPicture('photo.webp')],
  ] as const) {
    expect((await upload(name, whole.subarray(0, whole.length - 20))).status, name).toBe(415);
  }
});

describe('a refused upload leaves the connection usable', () => {
  /** A connection to a server of its own, with all that came back over it so far. */
  async function open() {
    const server = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise<void>((done) => server.once('listening', () => done()));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const socket = connect(port, '127.0.0.1');
    let answers = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => (answers += chunk));
    const close = async () => {
      socket.destroy();
      await new Promise((done) => server.close(done));
    };
    return { port, socket, answers: () => answers, close };
  }

  it.each([
    ['too large', () => ada, 413],
    ['of somebody signed out', () => ({ cookie: '' }), 401],
  ])('%s', async (_what, who, status) => {
    const { port, socket, answers, close } = await open();
    const length = 12 * 1024 * 1024;
    const request = (method: string, headers: string) =>
      `${method} ${at} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${ORIGIN}\r\nCookie: ${who().cookie}\r\n${headers}\r\n`;
    socket.write(request('POST', `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n`));
    socket.write(Buffer.alloc(length / 2, 'x'));
    // A slow sender: what others ask for is answered meanwhile.
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(answers()).toBe('');
    socket.write(Buffer.alloc(length / 2, 'x'));
    await eventually(async () => expect(answers()).toMatch(new RegExp(`^HTTP/1.1 ${status}`)));
    socket.write(request('GET', ''));
    await eventually(async () => expect(answers().match(/HTTP\/1\.1 \d+/g)).toHaveLength(2));
    await close();
  });
});
