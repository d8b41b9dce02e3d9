import { afterAll, expect, it, vi } from 'vitest';
import { rateLimit } from './features/accounts/accounts.identity.table.ts';
import { listAudit } from './features/operator/audit.service.ts';
import { runAdminCommand } from './features/operator/operator.service.ts';
import { createLog } from './platform/log.ts';
import { around } from './testing/around.ts';
import { shareOf } from './testing/effort.ts';
import { eventually } from './testing/eventually.ts';
import { describeOperations, fillPath, furnish, type Operation } from './testing/every-route.ts';
import { startFakeOpenAI } from './testing/fake-openai.ts';
import { sendFile } from './testing/files.ts';
import { ORIGIN, testApp } from './testing/harness.ts';
import { hostileBodies, sampleOf } from './testing/hostile-input.ts';
import { jobsEnd } from './testing/jobs-end.ts';
import { closing, temporaryFolder } from './testing/lifetimes.ts';
import { workerOf } from './testing/mcp/conversation.ts';
import { startMcpServer } from './testing/mcp/http-server.ts';
import { serversFile } from './testing/mcp/programs.ts';

/** A phrase that a person, a model, a provider or a tool says, as it stands in JSON, in an address and in a name of a host. */
const CANARY = 'peanutcanary';
const WORDS = `${CANARY} 🥜 words`;

const METRICS_TOKEN = 'a token of some length';

const written: string[] = [];

const keep = (chunk: unknown) => written.push(String(chunk)) > 0;
vi.spyOn(process.stderr, 'write').mockImplementation(keep);
vi.spyOn(process.stdout, 'write').mockImplementation(keep);
for (const method of ['error', 'warn', 'info', 'log', 'debug'] as const) {
  vi.spyOn(console, method).mockImplementation((...printed) => void written.push(JSON.stringify(printed)));
}
afterAll(() => void vi.restoreAllMocks());

const { folder } = temporaryFolder('canary');
const provider = await closing(startFakeOpenAI({ text: `${WORDS} from the model.` }));
const inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
const tools = await closing(startMcpServer([{ name: 'lookup', description: 'Looks something up.', inputSchema }]));
const env = {
  LOG_FORMAT: 'json',
  METRICS_TOKEN,
  FACTS: 'model',
  OPENAI_BASE_URL: provider.url,
  MODEL_TIMEOUT_MS: '1000',
  ...serversFile(folder, { shelf: { url: tools.url } }),
};
const app = await closing(testApp({ env, log: createLog((line) => written.push(line)) }));
const ada = await app.signUpPro();
const known = await furnish(app, ada);
const operations = await describeOperations(app);

/** These end what the other requests come with, or don't end themselves. */
const EXCEPT = /sign-out|\/live|revoke|delete-user|change-password|set-password/u;
const isDeletion = ({ method, path }: Operation) => method === 'DELETE' && (path.includes('{') || path === '/api/me');
let sent = 0;

/** A request whose headers all carry the phrase, with the person's cookie. */
async function send({ method, path }: Operation, address: string, body?: string) {
  sent += 1;
  if (sent % 4 === 0) await app.deps.db.delete(rateLimit);
  const said = Object.fromEntries(
    [
      'user-agent',
      'referer',
      'accept-language',
      'x-forwarded-for',
      'x-request-id',
      'x-session-id',
      'last-event-id',
      'x-said',
    ]
      .concat(sent % 2 === 0 ? 'authorization' : 'idempotency-key')
      .map((name) => [name, `${name === 'authorization' ? 'Bearer ' : ''}${CANARY} ${sent}`]),
  );
  const cookie = path.includes('sign-') ? `said=${CANARY}` : `${ada.cookie}; said=${CANARY}`;
  const answer = await app.app.request(`${ORIGIN}${address}`, {
    method,
    headers: { origin: ORIGIN, cookie, ...said, ...(body !== undefined && { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(20_000),
    ...(body !== undefined && { body }),
  });
  await answer.arrayBuffer();
  return answer;
}

async function readMetrics(): Promise<string> {
  const answer = await app.request('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** The audit log but for the reasons, which are the operator's words. */
async function readAudit(): Promise<string[]> {
  const { entries } = await listAudit(app.deps, { kind: 'all', limit: 10_000 });
  return entries.map((entry) => JSON.stringify({ ...entry, reason: '' }));
}

/** What stands in the log, the metrics and the audit log now, except the person's own words. */
async function expectSilence() {
  await jobsEnd(app);
  const said = [...written, await readMetrics(), ...(await readAudit())].join('\n');
  expect(around(said, CANARY)).toBeUndefined();
}

/** A sixth of the fields by day. */
const some = shareOf(6);

it('logs and counts no word of any field, query, path or header', async () => {
  const filled = new Proxy(known, { get: (ids, name: string) => ids[name] ?? WORDS });
  for (const operation of operations.filter((one) => !EXCEPT.test(one.path) && !isDeletion(one))) {
    const { path, query, body } = operation;
    const address = fillPath(path, known);
    const questions = query.map(({ name }) => `${name}=${encodeURIComponent(WORDS)}`);
    const asked = questions.length === 0 ? [`said=${CANARY}`] : [...questions, questions.join('&')];
    const sample = sampleOf(body ?? {}, '', filled);
    const whole = body && JSON.stringify(sample);
    for (const question of asked) await send(operation, `${address}?${question}`, whole);
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/gu)) {
      await send(operation, fillPath(path, { ...known, [name]: encodeURIComponent(WORDS) }), whole);
    }
    if (body === undefined) continue;
    for (const one of some(hostileBodies(sample, [JSON.stringify(WORDS), `{"${CANARY}":1}`, `${CANARY} {`]))) {
      await send(operation, address, one);
    }
  }
  for (const place of [`/${CANARY}`, `/api/${CANARY}`, `/v1/${CANARY}`, `/mcp/${CANARY}`, `/shared/${CANARY}`]) {
    await send({ method: 'GET', path: place, query: [], body: undefined }, `${place}?q=${CANARY}`);
  }
  expect(written.join('\n')).toContain('"event":"request","request":"');
  await expectSilence();
});

it('logs no word of an operator’s command, and writes none but its reason to the audit log', async () => {
  const because = ['--reason', WORDS];
  const { email } = await app.signUp(WORDS);
  const commands = [
    ...['enable', 'disable', 'enable', 'reset-link'].map((name) => [name, email, ...because]),
    ['setting', 'member-invitations', '20', ...because],
    ['invite', ...because],
    ...['enable', 'setting', 'invite-end', 'approve', 'inbox-delete', 'tools-approve', 'payments', CANARY].map(
      (name) => [name, CANARY, CANARY, ...because],
    ),
    ...['models-off', 'models-on', 'tools-leave-off'].map((name) => [name, CANARY, CANARY, ...because]),
    ['grant-pro', '--list', `${email} ${CANARY}@example.com`, ...because],
    ['grant-pro', '--domain', `${CANARY}.example`, ...because],
  ];
  for (const command of commands) await runAdminCommand(app.deps, command);
  const acts = (await readAudit()).filter((entry) => entry.includes('"kind":"act"'));
  expect(acts.length).toBeGreaterThanOrEqual(6);
  await expectSilence();
});

// An agent's file is read later; an attachment and an archive are looked into first.
it.each<[how: string, name: string, content: string, statuses: number[]]>([
  ['is read', `${CANARY}.txt`, `${WORDS} in a file`, [201, 201, 400]],
  ['is no document', `${CANARY}.pdf`, `%PDF-1.4 ${WORDS}`, [201, 415, 400]],
  ['is of no kind', `${CANARY}.${CANARY}`, `${WORDS}\0`, [415, 415, 400]],
  ['is a broken archive', `${CANARY}.docx`, `PK\u0003\u0004${WORDS}`, [201, 415, 400]],
])('logs no word of a file that %s', async (_how, name, content, statuses) => {
  const paths = [`/api/agents/${known.agentId}/files`, `/api/sessions/${known.sessionId}/attachments`, '/api/imports'];
  const answered = [];
  for (const path of paths) answered.push((await sendFile(app, ada, path, [name, content])).status);
  expect(answered).toEqual(statuses);
  await expectSilence();
});

it('logs no word of a tool, a provider or a model, also when a run fails, and counts which provider it was', async () => {
  const worker = workerOf(
    () => app,
    () => ada,
  );
  const offered = (await worker.catalogue()).find(({ id }) => id.includes('lookup'));
  const sessionId = await worker.open([offered?.id ?? '']);
  // A model that the provider had once.
  await app.deps.database.executeSql('update agents set model = $1, prompt = $2', [CANARY, WORDS]);
  await worker.ask(sessionId, WORDS);
  const [name = ''] = provider.requests
    .flatMap(({ body }) => (body.tools ?? []).map((tool) => tool.function.name))
    .filter((one) => one.includes('lookup'));
  provider.behave({
    toolCalls: [
      { name, arguments: JSON.stringify({ id: CANARY }) },
      { name: CANARY, arguments: WORDS },
    ],
  });
  tools.answers.set(CANARY, `${WORDS} from the tool`);
  const asking = await worker.start(sessionId, WORDS);
  const { toolCalls } = await worker.until(asking, 'waiting');
  expect(await readMetrics()).toContain('\nruns_in_flight{state="waiting",model="gpt-4"} 1\n');
  await expectSilence();
  await worker.approve(asking, { callId: toolCalls[0].id, decision: 'once' });
  await worker.until(asking, 'done');
  expect(tools.called).toHaveLength(1);
  provider.behave({ toolCalls: [], errorMessage: WORDS });
  for (const failure of [
    { mode: 'error', status: 400 },
    { mode: 'error', status: 503 },
    { mode: 'stream-error' },
    { mode: 'garbage' },
    { mode: 'cut' },
    { mode: 'silence' },
  ] as const) {
    provider.behave(failure);
    await worker.until(await worker.start(sessionId, WORDS), 'failed');
  }
  provider.reset();
  // A run is counted after its end is heard.
  const metrics = await eventually(async () => {
    const figures = await readMetrics();
    expect(figures).toContain('\nruns_total{state="failed",model="gpt-4"} 6\n');
    return figures;
  });
  expect(metrics).toMatch(/\nprovider_errors_total\{provider="[\w.:]+",status="400"\} 1\n/u);
  expect(metrics).toMatch(/\nrun_tokens_total\{kind="output",model="gpt-4"\} [1-9]/u);
  expect(written.join('\n')).toContain('"event":"runs.failed","request":"');
  await expectSilence();
});
