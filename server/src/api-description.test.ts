import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from '@hono/node-server';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, it } from 'vitest';
import { OPERATIONS } from './operations/operations.ts';
import { answerCheck } from './testing/described-answers.ts';
import { testApp } from './testing/harness.ts';
import { closing, temporaryFolder } from './testing/lifetimes.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

const app = await closing(testApp());
const { folder } = temporaryFolder('client');

const description = async () => (await app.request('GET', '/api/openapi.json')).body;

it('names every route, and no other', async () => {
  const { paths } = await description();
  const routes = app.app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*') && !/\/(?:openapi\.json|docs)$/u.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/gu, '{$1}')}`);
  expect([...OPERATIONS.keys()].toSorted()).toEqual([...new Set(routes)].toSorted());
  const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual([...OPERATIONS.keys()].toSorted());
});

it('follows the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  // Where a provider sends people back to answers with a redirect only.
  const redirects = '#/paths/~1api~1auth~1callback~1{provider}/get/responses';
  const problemsOf = async (spec: object) => {
    const problems = await lintFromString({ source: JSON.stringify(spec), config });
    const others = problems.filter(
      ({ ruleId, location }) => ruleId !== 'operation-2xx-response' || location[0]?.pointer !== redirects,
    );
    return others.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
  };
  const spec = await description();
  expect(await problemsOf(spec)).toEqual([]);
  // The rules are at work.
  delete spec.paths['/api/agents'].get.summary;
  expect(await problemsOf(spec)).toMatchObject([['operation-summary', expect.anything(), expect.anything()]]);
});

it('says of an operation what succeeds, what fails, its headers and its cookie', async () => {
  const { paths, components } = await description();
  const create = paths['/api/agents'].post;
  expect(Object.keys(create.responses)).toEqual(['201', '400', '401', '402', '403', '409', '413', '429', '500', '503']);
  expect(create.responses[201].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/AgentAnswer',
  });
  expect(create.responses[409].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/ErrorBody' });
  expect(Object.keys(create.responses[429].headers)).toEqual(['Cache-Control', 'Retry-After']);
  expect(create.security).toEqual([{ session: [] }]);
  expect(components.securitySchemes.session).toEqual({
    type: 'apiKey',
    in: 'cookie',
    name: 'better-auth.session_token',
  });
  expect(paths['/api/auth/sign-in/email'].post.responses[200].headers).toHaveProperty('Set-Cookie');
});

const created = {
  status: 201,
  type: 'application/json',
  body: {
    session: {
      id: '1',
      name: 'n',
      createdAt: '2026-01-01T00:00:00.000Z',
      agentId: 'a',
      agentName: 'A',
      agentDeleted: false,
      pinned: false,
      archived: false,
      folderId: null,
    },
  },
};
it.each([
  ['another status', { status: 418 }, /does not name/u],
  ['another media type', { type: 'text/plain' }, /instead of/u],
  ['a missing header', { cache: undefined }, /the header Cache-Control/u],
  ['another header', { cache: 'public' }, /the header Cache-Control/u],
  [
    'a missing field',
    { body: { session: { ...created.body.session, name: undefined } } },
    /must have required property 'name'/u,
  ],
  ['an unknown field', { body: { session: { ...created.body.session, secret: 1 } } }, /must NOT have additional/u],
  ['a time that is none', { body: { session: { ...created.body.session, createdAt: 'now' } } }, /must match/u],
])('finds an answer with %s', async (_what, change, problem) => {
  const check = await answerCheck('sandbox', description);
  const compare = (answer: { status: number; type: string; cache?: string | undefined; body: object }) => {
    const headers = new Headers({ 'content-type': answer.type });
    if (answer.cache !== undefined) headers.set('cache-control', answer.cache);
    const body: unknown = JSON.parse(JSON.stringify(answer.body));
    check({ method: 'POST', path: '/api/sessions', status: answer.status, headers, body });
  };
  expect(() => compare({ ...created, cache: 'no-store' })).not.toThrow();
  expect(() => compare({ ...created, cache: 'no-store', ...change })).toThrow(problem);
});

it('generates a client that compiles and talks with a running server', async () => {
  writeFileSync(join(folder, 'api.d.ts'), astToString(await openapiTS(await description())));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(import.meta.dirname, 'testing/api-client/client.ts'), join(folder, 'client.ts'));
  const options = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { lib: ['ES2024', 'DOM'] },
    files: ['client.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  // What the compiler has to say stands in its output.
  const compiled = await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch(
    (error: unknown) => error,
  );
  expect(compiled).toMatchObject({ stdout: '' });

  const server = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' });
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const args = [join(folder, 'client.ts'), `http://127.0.0.1:${port}`, 'client@example.com'];
    const { stdout } = await run(process.execPath, args, { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      name: 'Ada',
      status: 'done',
      messages: [expect.stringMatching(/kiln/u)],
      forPro: 'pro_required',
      removed: 204,
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
