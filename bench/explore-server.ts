import type { ExplorePage } from '@atelier/contract/explore';
import { findOrInstallPostgres, POSTGRES_ADVICE, startPostgres } from '../scripts/postgres.ts';
import type { Database } from '../server/src/platform/database/database.ts';

const AUTHORS = 100;

function startOwnPostgres() {
  const bin = findOrInstallPostgres();
  if (bin === undefined) throw new Error(POSTGRES_ADVICE);
  return startPostgres(bin);
}

/** The product's app on its own database, with any number of public agents. */
export async function createExploreServer({ postgres }: { postgres: boolean }) {
  const server = postgres ? await startOwnPostgres() : undefined;
  if (server) {
    process.env.TEST_DATABASE_URL = server.url;
  }
  // Loading these modules decides which database is used.
  const { prepareDatabase } = await import('../server/src/testing/database.ts');
  const { testApp } = await import('../server/src/testing/harness.ts');
  if (server) await prepareDatabase();
  const app = await testApp();
  const { database } = app.deps;
  const reader = await app.signUp('Reader');
  const shelf = await fillShelf(database);
  const page = async (query: string): Promise<ExplorePage> => {
    const answer = await app.request('GET', `/api/explore${query}`, { as: reader });
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  let favorited = false;
  return {
    kind: database.kind,
    ...shelf,
    page,
    /** A cursor `depth` agents down the list, reached in the largest steps. */
    async cursorAt(depth: number): Promise<string> {
      let cursor = '';
      for (let seen = 0; seen < depth; seen += 200) {
        const { nextCursor } = await page(`?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
        if (nextCursor === null) break;
        cursor = nextCursor;
      }
      return cursor;
    },
    async toggleFavorite() {
      favorited = !favorited;
      const answer = await app.request(favorited ? 'PUT' : 'DELETE', '/api/favorites/author-2/agent-2', { as: reader });
      if (answer.status >= 300) throw new Error(`${answer.status}`);
    },
    async close() {
      await app.close();
      await server?.stop();
    },
  };
}

/** Public agents written directly to the database, and the bare rows read from it. */
async function fillShelf(database: Database) {
  let filled = 0;
  await database.executeSql(
    `insert into "user" (id, name, email) select 'author-' || i, 'Author ' || i, 'author-' || i || '@bench' from generate_series(0, $1::int - 1) i`,
    [AUTHORS],
  );

  return {
    /** Adds public agents until there are `size`: half of them tagged `common`, the first sixty `rare`. */
    async fill(size: number) {
      await database.executeSql(
        `insert into agents (user_id, id, slug, name, prompt, model, tags, temperature, memory_enabled, is_public, favorite_count)
         select 'author-' || i % $3::int, gen_random_uuid(), 'agent-' || i, 'Agent ' || i, repeat('You help with number ' || i || '. ', 20), 'gpt-4',
           array_remove(array['t' || i % 500, case when i % 2 = 0 then 'common' end, case when i < 60 then 'rare' end], null),
           0.5, true, true, (i * 7919) % 1000
         from generate_series($1::int, $2::int - 1) i`,
        [filled, size, AUTHORS],
      );
      filled = size;
      await database.executeSql('analyze');
    },
    /** The keys of the first page's agents, for the floor. */
    firstKeys: async (limit: number) =>
      (
        await database.executeSql(
          `select user_id, id from agents where is_public and deleted_at is null
           order by favorite_count desc, id desc limit $1`,
          [limit],
        )
      ).rows,
    rowsByKey: (keys: Record<string, unknown>[]) =>
      database.executeSql(
        `select a.*, u.name as author from unnest($1::text[], $2::uuid[]) as k (user_id, id)
         join agents a on a.user_id = k.user_id and a.id = k.id join "user" u on u.id = a.user_id`,
        [keys.map((key) => key.user_id), keys.map((key) => key.id)],
      ),
  };
}
