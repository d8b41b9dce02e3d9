import { S3Client } from '@aws-sdk/client-s3';
import { S3Driver } from 'flydrive/drivers/s3';
import type { Config } from '../../config.ts';

type BucketConfig = Pick<Config, 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>;

/** One for each download and export that may go on at once, and some for everything else. */
const CONNECTIONS = { maxSockets: 450 };

/** Files in a bucket of Amazon S3 or a compatible server. */
export function s3Driver(config: BucketConfig, bucket: string) {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  const client = new S3Client({
    region: config.S3_REGION,
    ...(S3_ENDPOINT === undefined ? {} : { endpoint: S3_ENDPOINT, forcePathStyle: true }),
    ...(S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
      ? {}
      : { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } }),
    requestHandler: { httpAgent: CONNECTIONS, httpsAgent: CONNECTIONS },
    // Compatible servers rarely support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return new S3Driver({ client, bucket, visibility: 'private', supportsACL: false });
}
