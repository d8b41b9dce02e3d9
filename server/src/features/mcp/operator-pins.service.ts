import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { type OperatorToolPin, operatorToolPins } from './mcp.table.ts';
import { sameTool } from './tool-hash.ts';

/** How many characters of one server's changes are shown, and approved, at a time. */
const PORTION_MAX = 60_000;
/** A statement with more would be long on the embedded database. */
const ROWS_AT_ONCE = 50;

/** An approved tool of an operator's server; off while the server describes it differently. */
export interface PinnedTool {
  tool: McpTool;
  isOff: boolean;
}

const readPins = (db: Pick<Tx, 'select'>, server: string) =>
  db.select().from(operatorToolPins).where(eq(operatorToolPins.server, server)).orderBy(asc(operatorToolPins.name));

const pinned = (pins: OperatorToolPin[]): PinnedTool[] =>
  pins.flatMap(({ approved, changedAt }) => (approved === null ? [] : [{ tool: approved, isOff: changedAt !== null }]));

/** The approved tools of a server that can't be reached. */
export const findPinned = async (ctx: Pick<Deps, 'db'>, server: string): Promise<PinnedTool[]> =>
  pinned(await readPins(ctx.db, server));

/**
 * Compares what a server offers with what was approved, and stores the differences. The tools of a new server are approved by this. Returns
 * the approved tools that it still offers; tools added later wait for approval.
 */
export async function comparePins(ctx: Pick<Deps, 'db' | 'log'>, server: string, now: McpTool[]) {
  const known = await readPins(ctx.db, server);
  const pins = differences(known, now).length === 0 ? known : await writeDifferences(ctx, server, now);
  return pinned(pins).filter(({ tool }) => now.some(({ name }) => name === tool.name));
}

async function writeDifferences(ctx: Pick<Deps, 'db' | 'log'>, server: string, now: McpTool[]) {
  return ctx.db.transaction(async (tx) => {
    // Two processes may see a new server's tools differently; the second one records a change.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`operator_tool_pins ${server}`}))`);
    const known = await readPins(tx, server);
    const differing = differences(known, now);
    for (let from = 0; from < differing.length; from += ROWS_AT_ONCE) {
      const rows = differing.slice(from, from + ROWS_AT_ONCE);
      await tx
        .insert(operatorToolPins)
        .values(rows.map((row) => ({ server, ...row, changedAt: row.offered === null ? null : sql`now()` })))
        .onConflictDoUpdate({
          target: [operatorToolPins.server, operatorToolPins.name],
          set: { offered: sql`excluded.offered`, changedAt: sql`excluded.changed_at` },
        });
    }
    const changed = differing.filter(({ offered }) => offered !== null).map(({ name }) => name);
    if (changed.length > 0) ctx.log.info('mcp.changed', { server, tools: changed.join(' ') });
    return readPins(tx, server);
  });
}

type Difference = Pick<OperatorToolPin, 'name' | 'approved' | 'offered'>;

/** Which pins have to be written, and how. */
function differences(known: OperatorToolPin[], now: McpTool[]): Difference[] {
  if (known.length === 0) return now.map((tool) => ({ name: tool.name, approved: tool, offered: null }));
  return now.flatMap((tool): Difference[] => {
    const { name } = tool;
    const pin = known.find((k) => k.name === name);
    if (pin === undefined) return [{ name, approved: null, offered: tool }];
    const isApproved = pin.approved !== null && sameTool(pin.approved, tool);
    if (isApproved) return pin.changedAt === null ? [] : [{ name, approved: pin.approved, offered: null }];
    return pin.offered !== null && sameTool(pin.offered, tool) ? [] : [{ name, approved: pin.approved, offered: tool }];
  });
}

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

/** Identifies exactly what was listed; approving requires it, so nothing unseen is approved. */
const codeOf = (changed: OperatorToolPin[]): string =>
  createHash('sha256')
    .update(JSON.stringify(changed.map(({ name, offered }) => [name, offered])))
    .digest('hex')
    .slice(0, 16);

/** The changed tools of the operator's servers and how to approve them, for a terminal. */
export async function reportChangedTools(ctx: Pick<Deps, 'db'>): Promise<string> {
  const changed = await findChanged(ctx.db);
  if (changed.length === 0) return 'All tools of the configured servers are as they were approved.';
  const servers = Map.groupBy(changed, (pin) => pin.server);
  const parts = [...servers].map(([server, pins]) => {
    const portion = firstPortion(pins);
    const left = pins.length - portion.length;
    return [
      `${server}, to be approved by: npm run admin -- tools-approve ${server} ${codeOf(portion)}`,
      ...portion.flatMap(describeChange),
      ...(left > 0 ? [`  … and ${left} more, which are listed once these are approved`] : []),
    ];
  });
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}

/** As many changes as a person can read at once, always the same ones: only what was shown completely is approved. */
function firstPortion(pins: OperatorToolPin[]): OperatorToolPin[] {
  let size = 0;
  return pins.filter((pin, index) => {
    size += describeChange(pin).join('\n').length;
    return index === 0 || size <= PORTION_MAX;
  });
}

/** As JSON on one line, because control characters in a stranger's text could rewrite the terminal. */
const shown = (value: unknown): string => JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, '');

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

/** Approves a server's changed tools that are still as listed with `code`. */
export async function approveChangedTools(ctx: Pick<Deps, 'db'>, server: string, code: string) {
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`operator_tool_pins ${server}`}))`);
    const changed = firstPortion(await findChanged(tx, server));
    if (changed.length === 0) return { ok: false, message: `No tool of ${server} is waiting for approval.` };
    if (codeOf(changed) !== code) {
      return { ok: false, message: `The tools of ${server} changed again, or the code has a typo. List them first.` };
    }
    await tx
      .update(operatorToolPins)
      .set({ approved: operatorToolPins.offered, offered: null, changedAt: null })
      .where(
        and(
          eq(operatorToolPins.server, server),
          inArray(
            operatorToolPins.name,
            changed.map(({ name }) => name),
          ),
        ),
      );
    return { ok: true, message: `Approved: ${changed.map(({ name }) => name).join(', ')}.` };
  });
}
