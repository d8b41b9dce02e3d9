import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { excerpt } from '@atelier/contract/agents';
import type {
  InstallationServer,
  operatorServersAnswer,
  ToolDescription,
} from '@atelier/contract/operator/tool-servers';
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { McpTool } from '../../../platform/mcp/mcp-connection.ts';
import { type OperatorToolPin, operatorToolPins } from '../mcp.table.ts';

/** How many characters of one server's changes are shown, and approved, at a time. */
const PORTION_MAX = 60_000;

const findChanged = (db: Pick<Tx, 'select'>, server?: string) =>
  db
    .select()
    .from(operatorToolPins)
    .where(
      and(
        isNotNull(operatorToolPins.changedAt),
        server === undefined ? undefined : eq(operatorToolPins.server, server),
      ),
    )
    .orderBy(asc(operatorToolPins.server), asc(operatorToolPins.name));

const hashOf = (changed: OperatorToolPin[]): string =>
  createHash('sha256')
    .update(JSON.stringify(changed.map(({ name, offered }) => [name, offered])))
    .digest('hex');

/** As much of the hash as a person types. */
const TYPED = 16;

/** Identifies exactly what was listed; deciding requires it, so nothing unseen is approved. */
const codeOf = (changed: OperatorToolPin[]): string => hashOf(changed).slice(0, TYPED);
const isCodeOf = (code: string, changed: OperatorToolPin[]): boolean =>
  code.length >= TYPED && hashOf(changed).startsWith(code);

/** An older server notes a new change and leaves an earlier decision where it is. */
const isWaiting = ({ leftOffAt, changedAt }: OperatorToolPin): boolean =>
  leftOffAt === null || (changedAt !== null && leftOffAt < changedAt);

/** The changed tools of the operator's servers and how to decide about them, for a terminal. */
export async function reportChangedTools(ctx: Pick<Deps, 'db'>): Promise<string> {
  const changed = await findChanged(ctx.db);
  if (changed.length === 0) return 'All tools of the configured servers are as they were approved.';
  const servers = Map.groupBy(changed, (pin) => pin.server);
  const parts = [...servers].flatMap(([server, pins]) => {
    const leftOff = pins.filter((pin) => !isWaiting(pin));
    const waiting = describePortion(server, pins.filter(isWaiting), 'to be approved by');
    return [waiting, describePortion(server, leftOff, 'left off, until they are approved by')];
  });
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function describePortion(server: string, pins: OperatorToolPin[], how: string): string[] {
  if (pins.length === 0) return [];
  const portion = firstPortion(pins);
  const more = pins.length - portion.length;
  return [
    `${server}, ${how}: npm run admin -- tools-approve ${server} ${codeOf(portion)}`,
    ...portion.flatMap(describeChange),
    ...(more > 0 ? [`  … and ${more} more, which are listed once these are approved`] : []),
  ];
}

/** As many changes as a person can read at once, always the same ones: only what was shown completely is approved. */
function firstPortion(pins: OperatorToolPin[]): OperatorToolPin[] {
  let size = 0;
  return pins.filter((pin, index) => {
    size += describeChange(pin).join('\n').length;
    return index === 0 || size <= PORTION_MAX;
  });
}

/** A decision about one changed tool, or about those that a terminal has listed together. */
interface Decision {
  server: string;
  tool?: string;
  code: string;
  decision: 'approve' | 'leave-off';
}

/** The tools that a decision may be about, in the groups in which they were shown. */
const groupsOf = (changed: OperatorToolPin[], { tool, decision }: Decision): OperatorToolPin[][] => {
  const waiting = changed.filter(isWaiting);
  const open = decision === 'approve' ? changed : waiting;
  if (tool !== undefined) return [open.filter(({ name }) => name === tool)];
  return decision === 'approve'
    ? [firstPortion(waiting), firstPortion(changed.filter((pin) => !isWaiting(pin)))]
    : [firstPortion(waiting)];
};

/**
 * Approves a server's changed tools that are still as listed with `code`, or leaves them off: then they wait for nobody, until the server
 * changes them again. `also` belongs into the same transaction and gets their names.
 */
export async function decideChangedTools(
  ctx: Pick<Deps, 'db'>,
  decision: Decision,
  also: (tx: Tx, names: string[]) => Promise<void>,
): Promise<{ ok: boolean; message: string }> {
  const { server, code } = decision;
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`operator_tool_pins ${server}`}))`);
    const groups = groupsOf(await findChanged(tx, server), decision).filter((group) => group.length > 0);
    if (groups.length === 0) return { ok: false, message: `No tool of ${server} is waiting for approval.` };
    const names = groups.find((group) => isCodeOf(code, group))?.map(({ name }) => name);
    if (names === undefined) {
      return { ok: false, message: `The tools of ${server} changed again, or the code has a typo. List them first.` };
    }
    const isApproval = decision.decision === 'approve';
    await tx
      .update(operatorToolPins)
      .set(
        isApproval
          ? { approved: operatorToolPins.offered, offered: null, changedAt: null, leftOffAt: null }
          : { leftOffAt: sql`now()` },
      )
      .where(and(eq(operatorToolPins.server, server), inArray(operatorToolPins.name, names)));
    await also(tx, names);
    return { ok: true, message: `${isApproval ? 'Approved' : 'Left off'}: ${names.join(', ')}.` };
  });
}

/** Tools are listed with as much of their description. */
const DESCRIPTION_MAX = 300;

/** The installation's tool servers as this process knows them, with what has changed; contacts none. */
export async function listOperatorServers(
  ctx: Pick<Deps, 'db' | 'config' | 'operatorSources'>,
): Promise<z.infer<typeof operatorServersAnswer>> {
  const pins = Map.groupBy(
    await ctx.db.select().from(operatorToolPins).orderBy(asc(operatorToolPins.server), asc(operatorToolPins.name)),
    ({ server }) => server,
  );
  const sources = new Map(ctx.operatorSources.map((source) => [source.key, source]));
  const servers = ctx.operatorSources.map((source) => ({
    key: source.key,
    name: source.name,
    ...source.seen(),
    ...shownPins(pins.get(source.key) ?? []),
  }));
  const removed = [...pins]
    .filter(([key, own]) => !sources.has(key) && own.some(({ changedAt }) => changedAt !== null))
    .map(([key, own]) => ({ key, name: key, ...REMOVED, ...shownPins(own) }));
  return { servers: [...servers, ...removed], file: ctx.config.MCP_SERVERS_FILE ?? null };
}

const REMOVED = { state: 'off', offReason: 'The file doesn’t name it any more.', lastError: null } as const;

function shownPins(pins: OperatorToolPin[]): Pick<InstallationServer, 'tools' | 'changes' | 'more'> {
  const changed = pins.filter(({ changedAt }) => changedAt !== null);
  const inOrder = [...changed.filter(isWaiting), ...changed.filter((pin) => !isWaiting(pin))];
  const portion = firstPortion(inOrder);
  return {
    tools: pins.flatMap(({ name, approved }) =>
      approved === null ? [] : [{ name, description: excerpt(approved.description, DESCRIPTION_MAX) }],
    ),
    changes: portion.flatMap((pin) => {
      const { name, approved, offered } = pin;
      if (offered === null) return [];
      const before = approved === null ? null : toDescription(approved);
      return [{ name, before, now: toDescription(offered), code: hashOf([pin]), leftOff: !isWaiting(pin) }];
    }),
    more: changed.length - portion.length,
  };
}

const toDescription = ({ description, inputSchema, annotations, readOnly }: McpTool): ToolDescription => ({
  description,
  input: JSON.stringify(inputSchema, null, 2),
  annotations: annotations === undefined ? '' : JSON.stringify(annotations, null, 2),
  readOnly,
});

/** As JSON on one line, because control characters in a stranger's text could rewrite the terminal. */
const shown = (value: unknown): string => JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, '');

/** What changed about a tool, in lines for a terminal. */
function describeChange({ name, approved, offered }: OperatorToolPin): string[] {
  if (offered === null) return [];
  if (approved === null) return [`  ${name} is new`, `    it says   ${shown(offered.description)}`, inputOf(offered)];
  const lines = [`  ${name} is described otherwise`];
  if (approved.description !== offered.description) {
    lines.push(`    approved  ${shown(approved.description)}`, `    now       ${shown(offered.description)}`);
  }
  if (!isDeepStrictEqual(approved.inputSchema, offered.inputSchema)) {
    lines.push(inputOf(approved), inputOf(offered));
  }
  if (!isDeepStrictEqual(approved.annotations ?? {}, offered.annotations ?? {})) {
    lines.push(`    it says of itself  ${shown(approved.annotations ?? {})}, now ${shown(offered.annotations ?? {})}`);
  }
  if (approved.readOnly !== offered.readOnly) {
    lines.push(offered.readOnly ? '    it says now that it only reads' : '    it no longer says that it only reads');
  }
  return lines;
}

const inputOf = ({ inputSchema }: McpTool) => `    input     ${shown(inputSchema)}`;
