import { isInFlight, taskStatus } from '@atelier/contract/runs';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { borrowTestDatabase, emptyTables } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { closing } from '../../testing/lifetimes.ts';
import { readFunctions } from './migrate.ts';

const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
const [AGENT, SESSION, PROCESS, FIRST, SECOND, THIRD] = [id(0), id(1), id(2), id(3), id(4), id(5)];
const [MEMORY, LATER, FACT, NEWER] = [id(6), id(7), id(8), id(9)];

/** What each case finds: an account with an agent and a session. */
const ACCOUNT = `
  insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.com');
  insert into profiles (user_id) values ('ada');
  insert into usage (user_id) values ('ada');
  insert into agents (user_id, id, slug, name, prompt, model, temperature, memory_enabled)
    values ('ada', '${AGENT}', 'notes', 'Notes', 'Help', 'offline', 1, true);
  insert into chat_sessions (user_id, id, agent_id, name) values ('ada', '${SESSION}', '${AGENT}', 'Talk');`;

/** An exchange at a second of the first of January. */
const task = (which = FIRST, second = 1, status = 'done') => `
  insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, message, status, model, created_at, lease_owner)
    values ('ada', '${which}', '${SESSION}', '${AGENT}', 'Notes', 'Hello', 'Hi', '${status}', 'offline', '2026-01-01T00:00:0${second}Z',
      ${status === 'running' ? `'${PROCESS}'` : 'null'});`;
const memory = (which = MEMORY, of = FIRST, origin = 'null') => `
  insert into memories (user_id, id, agent_id, session_id, task_id, kind, text, version, created_at, origin_id)
    values ('ada', '${which}', '${AGENT}', '${SESSION}', '${of}', 'person', 'I live in Porto', 1, '2026-01-01T00:00:01Z', ${origin});`;
const fact = (which = FACT, of = MEMORY, also = '') => `
  insert into facts (user_id, id, agent_id, memory_id, text, about, statement) values ('ada', '${which}', '${AGENT}', '${of}', 'Lives in Porto', 'You', 'x');
  update facts set sentence = 0${also} where id = '${which}';`;
/** An exchange, and what is remembered of it. */
const SAID = task() + memory();
const PINNED = `${SAID} update memories set pinned = true;`;
const leave = (which: string) => `update task_places set on_path = false where task_id = '${which}';`;
/** Two exchanges, and one in the place of the second, which was left. */
const BRANCHED = task(FIRST, 1) + task(SECOND, 2) + leave(SECOND) + task(THIRD, 3);
/** A copy of the one that was left is on the path. */
const COPIED = `${BRANCHED} update task_places set origin_id = '${SECOND}' where task_id = '${THIRD}';`;
const RUNNING = task(FIRST, 1, 'running');
/** The arguments of a message. */
const message = (again = 'null', atOnce = 1) => `_uid => 'ada', _session => '${SESSION}',
  _agent => 'notes', _task => '${SECOND}', _input => 'Hello', _key => 'once', _hash => 'h', _retry_of => null, _without => '{}',
  _model => null, _process => '${PROCESS}', _lease => '10 seconds', _at_once => ${atOnce}, _limits => '{"free": {}}', _again => ${again}`;
/** A call that starts a run, by its function and what it has beside the message. */
const starts = (call: string, more = '') => {
  const start = (given: string, told: unknown[], row: object, again?: string): Case => ({
    given,
    run: `select outcome, (task).status, parent, siblings from ${call}(${message(again)}${more}) where (agent).slug = 'notes'`,
    rows: [row],
    told,
  });
  const started = { outcome: 'started', status: 'running' };
  const told = [notice('tasks', SESSION), notice('account', 'ada')];
  const branched = { ...started, parent: SESSION, siblings: [FIRST, SECOND] };
  return [
    start(task(), told, { ...started, parent: FIRST, siblings: [SECOND] }),
    start(task(), [notice('facts', 'ada'), ...told], branched, `'${FIRST}'`),
    start(RUNNING, [], { outcome: 'too_many', status: null, parent: null, siblings: null }),
  ];
};
const BUDGET = `'[{"scope": "account", "period": "day", "unit": "tokens", "currency": "USD", "most": 10, "need": 5}]'`;
/** Six tokens of the budget, used or reserved. */
const USED = `select atelier_record_tokens('ada', '[{"purpose": "answer", "model": "offline", "agent_id": "${AGENT}", "currency": "",
  "calls": 1, "input_tokens": 4, "output_tokens": 2, "estimated": 0, "cost": 0}]');`;
const RESERVED = `${RUNNING} insert into chat_sessions (user_id, id, agent_id, name) values ('ada', '${LATER}', '${AGENT}', 'Other');
  update tasks set reserved_tokens = 6, session_id = '${LATER}';`;
const BOTH = USED + RESERVED;
const LIMITED = `array[outcome, (task).reserved_tokens::text, refused_by::text]
  from atelier_accept_run(${message('null', 2)}, _budgets => ${BUDGET}, _reserved_tokens => 5, _reserved_cost => 0.5)`;
const REFUSED = `array[outcome, refused_by::text] from atelier_budget_refusal('ada', ${BUDGET})`;
/** Work in the background that reserves six tokens. */
const WAITS = `select atelier_reserve_budget('ada', '${LATER}', ${BUDGET}, 6, null, '1 minute');`;
/** Whose time is over, also once it is rounded to milliseconds. */
const OVERDUE = `${WAITS} update budget_reservations set until = now() - interval '1 second';`;
const RESERVES = `atelier_reserve_budget('ada', '${NEWER}', ${BUDGET}, 5, 0.5, '1 minute')`;
const finish = `
  select (task).status, (task).message, version::int from atelier_finish_run(_uid => 'ada', _task => '${FIRST}', _process => '${PROCESS}',
    _attempt => 1, _status => 'done', _message => 'Hi Ada', _usage => null, _read_untrusted => false, _error => null, _last_seq => 2,
    _events => '[{"seq": 1, "type": "delta", "data": {"text": "Hi Ada"}}]', _counts => true,
    _memories => '[{"id": "${LATER}", "kind": "agent", "text": "Hi Ada"}]', _notice => '"ended"', _model => 'offline', _cut => null,
    _thoughts => '');
  select message_count, (select text from memories), (select data->>'text' as logged from task_events) from usage`;
const event = (of: string) =>
  `{"user_id": "ada", "task_id": "${of}", "attempt": 1, "seq": 1, "type": "delta", "data": {}}`;
const LOGGED = `array[task_id::text, seq::text] from atelier_log_events('[${event(FIRST)}, ${event(SECOND)}]', '${PROCESS}', '"more"')`;
const LAYS = `atelier_lay_path('ada', '${SESSION}', '${SECOND}')`;
const REMEMBERS = `atelier_remember('ada', '${AGENT}', '[{"id": "${MEMORY}", "session_id": "${SESSION}", "kind": "person", "text": "Hello",
  "created_at": "2026-01-01T00:00:00Z"}]')::int`;
const TAGGED = "update agents set is_public = true, tags = '{sea,sea,sun}';";
const AT = Date.parse('2026-01-01T00:00:01Z');
const KNOWN = { state: 'current', at: AT, sessionName: 'Talk', memoryId: MEMORY, exchange: FIRST };
const CONTEXT = {
  version: 0,
  summary: null,
  history: [['Hello', 'Hi', false, null, [], FIRST]],
  pinned: [[MEMORY, 'person', 'I live in Porto', AT, SESSION, 'Talk', false, FIRST, FIRST]],
  facts: null,
  isFirst: false,
};
const AUDITED = `insert into audit_log (id, act) values ('${FACT}', 'account_enabled')`;
const FAVORITE = `insert into favorites (user_id, creator_id, agent_id) values ('ada', 'ada', '${AGENT}')`;
const notice = (t: string, i: string, u = 'ada') => ({ u, t, i });

interface Case {
  given?: string;
  run: string;
  rows?: object[];
  /** What the processes are told of it. */
  told?: unknown[];
  throws?: string;
}

/** What a call returns. */
const gives = (call: string, value: unknown, given = ''): Case => ({
  given,
  run: `select (select ${call}) as value`,
  rows: [{ value }],
});
/** What the processes are told of a change. */
const tells = (run: string, ...told: unknown[]): Case => ({ run, told });
const on = `'ada', '${AGENT}', '${SESSION}'`;

/** Each function with the least that it needs. */
const CASES: Record<string, Case[]> = {
  atelier_accept_run: [
    ...starts('atelier_accept_run', ', _budgets => null, _reserved_tokens => null, _reserved_cost => null'),
    gives(LIMITED, ['started', '5', null]),
    gives(LIMITED, ['budget_used', null, '0'], USED),
    gives(LIMITED, ['budget_reserved', null, '0'], RESERVED),
  ],
  atelier_account_banned: [
    tells(`update "user" set banned = true`, notice('explore', '', '*'), notice('auth', 'ada')),
    tells(`update "user" set banned = false`),
  ],
  atelier_audit_append_only: [{ given: AUDITED, run: 'delete from audit_log', throws: 'append-only' }],
  atelier_author_changed: [
    tells(`update "user" set name = 'Ada L.'`, notice('explore', '', '*')),
    tells(`delete from "user"`, notice('explore', '', '*')),
  ],
  atelier_blank: [
    gives(`atelier_blank('[{"id": "a", "text": "gone"}, {"id": "b"}]', '{a}')`, [
      { id: 'a', text: '', forgotten: true },
      { id: 'b' },
    ]),
  ],
  atelier_budget_refusal: [
    gives(REFUSED, null),
    gives(REFUSED, ['budget_used', '0'], USED),
    gives(REFUSED, ['budget_reserved', '0'], WAITS),
    gives(REFUSED, null, OVERDUE),
  ],
  atelier_budget_use: [gives(`array[used, reserved]::int[] from atelier_budget_use('ada', ${BUDGET})`, [6, 6], BOTH)],
  atelier_end_of_branch: [
    gives(`atelier_end_of_branch('ada', '${FIRST}')`, THIRD, BRANCHED),
    gives(`atelier_end_of_branch('ada', '${SECOND}')`, SECOND, BRANCHED),
  ],
  atelier_explore_projected: [gives('array_agg(tag order by tag) from explore_tags', ['sea', 'sun'], TAGGED)],
  atelier_fact_holds: [
    gives(`atelier_fact_holds('ada', '${MEMORY}')`, true, SAID),
    gives(`atelier_fact_holds('ada', '${MEMORY}')`, false, SAID + leave(FIRST)),
  ],
  atelier_facts_edited: [
    gives(
      'json_agg(json_build_array(id, memory_id, sentence) order by id) from facts',
      [
        [FACT, LATER, null],
        [NEWER, MEMORY, 0],
      ],
      SAID + fact(FACT, MEMORY, ', corrected_at = now()') + fact(NEWER) + memory(LATER, FIRST, `'${MEMORY}'`),
    ),
  ],
  // It works at the end of the transaction.
  atelier_facts_forgotten: [
    gives('count(*)::int from facts', 0, `${SAID + fact()} update memories set forgotten_at = now();`),
  ],
  atelier_favorites_counted: [gives('favorite_count from agents', 1, FAVORITE)],
  atelier_finish_run: [
    {
      given: RUNNING,
      run: finish,
      rows: [
        { status: 'done', message: 'Hi Ada', version: 1 },
        { message_count: 1, text: 'Hi Ada', logged: 'Hi Ada' },
      ],
      told: [notice('tasks', SESSION), notice('account', 'ada'), 'ended'],
    },
    { given: task(), run: finish, rows: [{ message_count: 0, text: null, logged: null }], told: [] },
  ],
  atelier_is_in_flight: taskStatus.options.map((status) =>
    gives(`atelier_is_in_flight('${status}')`, isInFlight(status)),
  ),
  atelier_is_on_path: [
    gives(`atelier_is_on_path('ada', '${FIRST}')`, true, task()),
    gives(`atelier_is_on_path('ada', '${FIRST}')`, false, task() + leave(FIRST)),
  ],
  atelier_known_facts: [
    gives(`atelier_known_facts(${on}, 'session', 9)`, [expect.objectContaining(KNOWN)], SAID + fact()),
    gives(`atelier_known_facts(${on}, 'agent', 9)`, null),
  ],
  atelier_later_fact: [
    gives(`atelier_later_fact('ada', '${NEWER}', null)`, NEWER, SAID + fact(NEWER)),
    gives(
      `atelier_later_fact('ada', null, '${FACT}')`,
      NEWER,
      SAID + fact(NEWER) + fact(FACT, MEMORY, `, replaced_by = '${NEWER}'`),
    ),
    gives(`atelier_later_fact('ada', '${NEWER}', null)`, null, SAID + fact(NEWER, MEMORY, ', forgotten_at = now()')),
  ],
  atelier_lay_path: [
    gives(LAYS, true, BRANCHED),
    gives(
      'array_agg(task_id order by task_id) from task_places where on_path',
      [FIRST, SECOND],
      `${BRANCHED} select ${LAYS};`,
    ),
    gives(`atelier_lay_path('ada', '${SESSION}', '${THIRD}')`, false, BRANCHED),
  ],
  atelier_ledger_erased: [
    gives(
      'json_build_array(user_id, calls, input_tokens) from token_ledger',
      ['', 2, 8],
      `${USED + USED} delete from token_ledger;`,
    ),
  ],
  atelier_log_events: [{ ...gives(LOGGED, [FIRST, '1'], RUNNING + task(SECOND, 2)), told: ['more'] }],
  atelier_notify: [tells(`select atelier_notify('ada', 'tasks', '7')::text`, notice('tasks', '7'))],
  atelier_operator_tools_changed: [
    tells(`insert into operator_tool_pins (server, name) values ('weather', 'now')`, notice('tools', '', '*')),
  ],
  atelier_path_state: [
    gives(`counts from atelier_path_state('ada', '${FIRST}')`, true, task()),
    gives(`counts from atelier_path_state('ada', '${FIRST}')`, false, task() + leave(FIRST)),
    gives(`counts from atelier_path_state('ada', '${SECOND}')`, true, COPIED),
    gives(`counts from atelier_path_state('ada', '${FIRST}')`, true),
  ],
  atelier_place_task: [
    gives(
      'json_agg(json_build_array(task_id, parent_id) order by created_at) from task_places where on_path',
      [
        [FIRST, SESSION],
        [SECOND, FIRST],
        [THIRD, SECOND],
      ],
      task(FIRST, 1) + task(THIRD, 3) + task(SECOND, 2),
    ),
  ],
  atelier_plan_changed: [tells(`update profiles set subscription_status = 'pro'`, notice('account', 'ada'))],
  atelier_record_tokens: [
    gives('array[calls, input_tokens]::int[] from token_ledger', [2, 8], USED + USED),
    gives('array_agg(user_id) from token_ledger', [''], `delete from "user"; ${USED}`),
    gives(`atelier_record_tokens('ada', null)`, false),
  ],
  atelier_remember: [
    gives(REMEMBERS, 1),
    gives('json_build_array(text, version) from memories', ['Hello', 1], `select ${REMEMBERS};`),
    { run: `select atelier_remember('ada', '${SESSION}', '[]')`, throws: 'there is no agent' },
  ],
  atelier_require_account: ['agents', 'attachments', 'favorites', 'session_folders'].map((table) => ({
    run: `insert into ${table} (user_id) values ('nobody')`,
    throws: 'there is no such account',
  })),
  atelier_reserve_budget: [
    gives('array_agg(tokens)::int[] from budget_reservations', [6], WAITS),
    gives(`atelier_reserve_budget('ada', '${LATER}', ${BUDGET}, 5, null, '1 minute')`, false, RESERVED),
    gives(`atelier_reserve_budget('gone', '${LATER}', ${BUDGET}, 5, null, '1 minute')`, false),
    gives(RESERVES, true, OVERDUE),
    gives(
      'json_agg(json_build_array(tokens, cost)) from budget_reservations',
      [[5, 0.5]],
      `${OVERDUE} select ${RESERVES};`,
    ),
  ],
  atelier_run_context: [
    gives(`atelier_run_context(${on}, 'agent', '{}', true, 9, 9, 9)`, CONTEXT, PINNED),
    gives(`atelier_run_context('ada', '${NEWER}', '${SESSION}', 'agent', '{}', true, 9, 9, 9)`, null),
  ],
  atelier_sign_in_ended: [
    {
      given: `insert into session (id, token, user_id, expires_at) values ('s', 't', 'ada', now())`,
      ...tells('delete from session', notice('auth', 's')),
    },
  ],
  atelier_start_run: starts('atelier_start_run'),
};

const heard: unknown[] = [];

const database = await closing(borrowTestDatabase());
for (const channel of ['atelier_change', 'atelier_run']) {
  afterAll(await database.listen(channel, (payload) => heard.push(JSON.parse(payload))));
}
beforeEach(async () => void (await database.executeSql(ACCOUNT)));
afterEach(() => emptyTables(database));

/** Both channels in the order of their commits: a notice of our own tells that all before it were heard. */
async function allHeard(): Promise<unknown[]> {
  await database.executeSql(`select pg_notify('atelier_run', '"mark"')`);
  await eventually(() => expect(heard).toContain('mark'));
  return heard.splice(0).filter((one) => one !== 'mark');
}

test.each(Object.entries(CASES).flatMap(([name, cases]) => cases.map((one, at) => ({ name, at, ...one }))))(
  '$name ($at)',
  async ({ given, run, rows, told, throws }) => {
    if (given !== undefined) await database.executeSql(given);
    if (told !== undefined) await allHeard();
    const result = database.executeSql(run);
    if (throws !== undefined) return expect(result).rejects.toThrow(throws);
    const found = (await result).rows;
    if (rows !== undefined) expect(found).toEqual(rows);
    if (told !== undefined) expect(await allHeard()).toEqual(told);
  },
);

test('every function has a case', () => {
  const functions = readFunctions().flatMap((one) => /FUNCTION (\w+)\(.*RETURNS/su.exec(one)?.[1] ?? []);
  expect(Object.keys(CASES)).toEqual(functions.toSorted());
});
