import { z } from 'zod';
import { calls, create, get, patch, post, remove, under } from './calls.ts';
import { instant } from './ids.ts';
import { nameText } from './names/names.ts';
import { plainText } from './names/plain-text.ts';
import { tool } from './tools.ts';

export const MCP_LIMITS = { servers: 20, name: 60, headers: 20, header: 4_000 } as const;

/** Headers that belong to the protocol or the connection. */
const TAKEN =
  /^(?:accept|connection|content-.*|cookie|host|keep-alive|last-event-id|mcp-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Headers that a person's own server gets with each request; stored encrypted, and never shown again. */
export const mcpHeaders = z
  .record(
    z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'A header’s name has letters, digits and hyphens, and no blanks.')
      .refine((name) => !TAKEN.test(name), 'This header belongs to the connection and can’t be set.'),
    plainText(MCP_LIMITS.header, 'A header')
      .trim()
      .min(1, 'A header needs a value.')
      // What HTTP can send.
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'A header has letters without accents, digits and signs, on one line.'),
    'Headers are names with texts.',
  )
  .refine((all) => Object.keys(all).length <= MCP_LIMITS.headers, `At most ${MCP_LIMITS.headers} headers fit.`);

/** Replaces what a server knows the person by. */
export const mcpAccess = z.strictObject({ headers: mcpHeaders });
export type McpAccess = z.infer<typeof mcpAccess>;

/** Begins a sign-in; with a client that the person registered at the server's sign-in service by hand, where it registers none itself. */
export const mcpSignIn = z.strictObject({
  client: z
    .strictObject({
      id: plainText(500, 'The client ID').trim().min(1, 'Enter the client ID.'),
      secret: plainText(2_000, 'The client secret').trim().min(1).optional(),
    })
    .optional(),
});
export type McpSignIn = z.infer<typeof mcpSignIn>;
/** Where the person signs in, in a tab of their browser. */
export const mcpSignInAnswer = z.object({ address: z.string() });

export const mcpServerCreate = z.strictObject({
  headers: mcpHeaders.optional(),
  name: nameText(MCP_LIMITS.name, 'The name', 'Name is required.'),
  url: z.url({ protocol: /^https?$/, error: 'Enter an address that begins with https:// or http://.' }).max(2_000),
});
export type McpServerCreate = z.infer<typeof mcpServerCreate>;

/** A tool server that a person added, with its tools as approved. */
export const mcpServer = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  tools: z.array(tool),
  /**
   * `changed`: its tools differ from the approved ones, so they are off until approved again. `signed_out`: it wants to know who the person
   * is, by a sign-in or by headers.
   */
  state: z.enum(['approved', 'changed', 'signed_out']),
  /** How it knows the person. */
  access: z.enum(['none', 'headers', 'sign_in']),
  /** What a new approval would accept: the descriptions, null for a tool that is missing on that side. */
  changes: z.array(
    z.object({
      name: z.string(),
      before: z.string().nullable(),
      now: z.string().nullable(),
      /** Its present input schema and annotations, as JSON; null when unchanged. */
      input: z.string().nullable(),
    }),
  ),
  /** Identifies exactly what `changes` describes; approving requires it. Null when nothing waits. */
  seen: z.string().nullable(),
  createdAt: instant,
});
export type McpServer = z.infer<typeof mcpServer>;

/** Approves the change that `seen` identifies. */
export const mcpApprove = z.strictObject({ seen: z.string().min(1).max(200) });
export type McpApprove = z.infer<typeof mcpApprove>;

export const mcpServerAnswer = z.object({ server: mcpServer });
export const mcpServersAnswer = z.object({ servers: z.array(mcpServer) });

/** A server may answer slowly, so the number of calls at once is limited. */
const CONNECTS = { rate: 'toolServers', place: 'toolServers' } as const;
const FAILS = ['conflict', 'provider_failed'] as const;

export const mcpCalls = calls(under('/api/mcp-servers', { who: 'pro' }), {
  list: get('', 'listToolServers', 'Your own tool servers.', { answer: mcpServersAnswer }),
  add: create('', 'addToolServer', 'Adds a tool server.', {
    ...CONNECTS,
    body: mcpServerCreate,
    answer: mcpServerAnswer,
    fails: FAILS,
  }),
  signedIn: get('/signed-in', 'endToolServerSignIn', 'Where a sign-in service sends you back to.', {
    ...CONNECTS,
    answer: { type: 'text/html' },
    failsAsPage: true,
  }),
  changeAccess: patch('/:serverId', 'updateToolServer', 'Replaces the headers that a tool server knows you by.', {
    ...CONNECTS,
    body: mcpAccess,
    answer: mcpServerAnswer,
    fails: FAILS,
  }),
  signIn: post('/:serverId/sign-in', 'signInToToolServer', 'Begins a sign-in at a tool server.', {
    ...CONNECTS,
    body: mcpSignIn,
    answer: mcpSignInAnswer,
    fails: FAILS,
  }),
  approve: post('/:serverId/approve', 'approveToolServer', 'Accepts its changed tools.', {
    rate: 'toolServers',
    body: mcpApprove,
    answer: mcpServerAnswer,
    fails: FAILS,
  }),
  remove: remove('/:serverId', 'removeToolServer', 'Removes a tool server.'),
});
