declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Token {
    clientId?: string;
    aud?: string | string[];
    isExpired: boolean;
  }

  /** As far as tests use it. */
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    AccessToken: { find(value: string): Promise<Token | undefined> };
  }
}
