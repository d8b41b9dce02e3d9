/** What reaches servers, as a process or at an address; loaded with the first, because the protocol's library is large and most processes have none. */
export const loadClient = () => import('./mcp-client.ts');

/** Signing in at a server by OAuth; loaded when somebody does. */
export const loadOAuth = () => import('./oauth.ts');
