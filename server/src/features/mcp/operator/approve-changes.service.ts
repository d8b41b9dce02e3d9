import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
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
    const more = pins.length - portion.length;
    return [
      `${server}, to be approved by: npm run admin -- tools-approve ${server} ${codeOf(portion)}`,
      ...portion.flatMap(describeChange),
      ...(more > 0 ? [`  … and ${more} more, which are listed once these are approved`] : []),
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

/** Approves a server's changed tools that are still as listed with `code`; `also` belongs into the same transaction. */
export async function approveChangedTools(
  ctx: Pick<Deps, 'db'>,
  server: string,
  code: string,
  also?: (tx: Tx) => Promise<void>,
) {
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
    await also?.(tx);
    return { ok: true, message: `Approved: ${changed.map(({ name }) => name).join(', ')}.` };
  });
}

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
