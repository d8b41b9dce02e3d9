import type { Queries } from '../../platform/database/migrate.ts';

/** What only the installation's secret opens, of which an unencrypted backup holds nothing: access to people's tool servers. */
export const SEALED = { mcp_servers: ['secrets'] };

/** What has to be set up again in a restored database without the secret that it was used with, a line each. */
export async function listToSetUp({ executeSql }: Queries): Promise<string[]> {
  const { rows } = await executeSql(
    `select 'second factor of ' || u.email as line from two_factor f join "user" u on u.id = f.user_id where f.verified
     union all select 'tool server “' || m.name || '” of ' || u.email from mcp_servers m join "user" u on u.id = m.user_id
     order by 1`,
    [],
  );
  return rows.map(({ line }) => String(line));
}

/** How many accounts there are: a question that a whole database answers. */
export async function countAccounts({ executeSql }: Queries): Promise<number> {
  const { rows } = await executeSql('select count(*)::int as accounts from "user"', []);
  return Number(rows[0]?.accounts);
}

/** What people see of what they wrote, by the tables that have it. */
const WRITTEN = {
  user: 'accounts',
  tasks: 'exchanges',
  agents: 'agents',
  agent_files: 'files',
  memories: 'memories',
  payments: 'payments',
};

/** How much was written after a moment, for the operator who is about to lose it: `12 exchanges`. What was only changed or deleted isn't counted. */
export async function countSince({ executeSql }: Queries, since: string): Promise<string[]> {
  const counted = Object.entries(WRITTEN).map(async ([table, name]) => {
    const { rows } = await executeSql(`select count(*)::int as written from "${table}" where created_at > $1`, [since]);
    return Number(rows[0]?.written) > 0 ? [`${rows[0]?.written} ${name}`] : [];
  });
  return (await Promise.all(counted)).flat();
}
