import { S3Client } from '@aws-sdk/client-s3';
import { S3Driver } from 'flydrive/drivers/s3';
import type { Config } from '../../config.ts';

type BucketConfig = Pick<Config, 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>;

/** One for each download and export that may go on at once, and some for everything else. */
const CONNECTIONS = { maxSockets: 450 };
/** How long the bucket may take to connect, and to answer: an upload that takes longer counts as failed. */
const PATIENCE = { connectionTimeout: 5_000, throwOnRequestTimeout: true };
const PATIENCE_MS = 45_000;
const quiet = () => {};

/** Files in a bucket of Amazon S3 or a compatible server. */
export function s3Driver(config: BucketConfig, bucket: string, requestTimeout = PATIENCE_MS) {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  const client = new S3Client({
    region: config.S3_REGION,
    ...(S3_ENDPOINT === undefined ? {} : { endpoint: S3_ENDPOINT, forcePathStyle: true }),
    ...(S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
      ? {}
      : { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } }),
    requestHandler: { httpAgent: CONNECTIONS, httpsAgent: CONNECTIONS, ...PATIENCE, requestTimeout },
    // Whatever it prints, it also throws.
    logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
    // Compatible servers rarely support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(
    (next) => (sent) =>
      next(sent).catch((error: unknown) => {
        const { httpStatusCode: status } = Object(error).$metadata ?? {};
        throw Object.assign(Object(error), { bucket, status });
      }),
    { step: 'initialize', name: 'nameBucket' },
  );
  return new S3Driver({ client, bucket, visibility: 'private', supportsACL: false });
}
