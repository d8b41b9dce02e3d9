import { asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { McpTool } from '../../../platform/mcp/mcp-connection.ts';
import { type OperatorToolPin, operatorToolPins } from '../mcp.table.ts';
import { nowUsable, sameTool } from '../tool-changes.ts';

/** A statement with more would be long on the embedded database. */
const ROWS_AT_ONCE = 50;

/** The tools of a server: as approved, and as described now if that differs. */
export const findPins = ({ db }: { db: Pick<Tx, 'select'> }, server: string): Promise<OperatorToolPin[]> =>
  db.select().from(operatorToolPins).where(eq(operatorToolPins.server, server)).orderBy(asc(operatorToolPins.name));

/** Compares a server's offer with what was approved, and stores the differences. Approves a new server's tools; later ones wait. */
export async function comparePins(ctx: Pick<Deps, 'db' | 'log'>, server: string, now: McpTool[]) {
  const pins = await findPins(ctx, server);
  return differences(pins, now).length === 0 ? pins : writeDifferences(ctx, server, now);
}

async function writeDifferences(ctx: Pick<Deps, 'db' | 'log'>, server: string, now: McpTool[]) {
  return ctx.db.transaction(async (tx) => {
    // Two processes may see a new server's tools differently; the second one records a change.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`operator_tool_pins ${server}`}))`);
    const pins = await findPins({ db: tx }, server);
    const differing = differences(pins, now);
    for (let from = 0; from < differing.length; from += ROWS_AT_ONCE) {
      const rows = differing.slice(from, from + ROWS_AT_ONCE);
      await tx
        .insert(operatorToolPins)
        .values(rows.map((row) => ({ server, ...row, changedAt: row.offered === null ? null : sql`now()` })))
        .onConflictDoUpdate({
          target: [operatorToolPins.server, operatorToolPins.name],
          set: {
            approved: sql`excluded.approved`,
            offered: sql`excluded.offered`,
            changedAt: sql`excluded.changed_at`,
            leftOffAt: null,
          },
        });
    }
    const changed = differing.filter(({ offered }) => offered !== null).map(({ name }) => name);
    if (changed.length > 0) ctx.log.info('mcp.changed', { server, tools: changed.join(' ') });
    return findPins({ db: tx }, server);
  });
}

type Difference = Pick<OperatorToolPin, 'name' | 'approved' | 'offered'>;

/** Which pins have to be written, and how. */
function differences(pins: OperatorToolPin[], now: McpTool[]): Difference[] {
  if (pins.length === 0) return now.map((tool) => ({ name: tool.name, approved: tool, offered: null }));
  return now.flatMap((tool): Difference[] => {
    const { name } = tool;
    const pin = pins.find((k) => k.name === name);
    if (pin === undefined) return [{ name, approved: null, offered: tool }];
    if (pin.approved !== null && sameTool(pin.approved, tool)) {
      const approved = nowUsable(pin.approved, [tool]);
      return pin.changedAt === null && pin.approved.unusable === tool.unusable
        ? []
        : [{ name, approved, offered: null }];
    }
    return pin.offered !== null && sameTool(pin.offered, tool) ? [] : [{ name, approved: pin.approved, offered: tool }];
  });
}
