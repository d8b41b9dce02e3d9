import { join } from 'node:path';
import S3rver from 's3rver';

/** A server with one empty bucket for a test file, and the settings that name it; its objects are in a folder. */
export async function startOwnBucket(folder: string, name = 'atelier') {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name, configs: [] }],
  });
  const { port } = await server.run();
  return {
    env: {
      S3_BUCKET: name,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    close: () => server.close(),
  };
}

export type OwnBucket = Awaited<ReturnType<typeof startOwnBucket>>;
