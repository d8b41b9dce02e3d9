/** What the tests use of the S3-compatible server, which ships without types. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** As far as tests use it. */
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    on(event: 'access_token.saved', learn: (token: { jti: string }) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
