import { z } from 'zod';
import { calls, get, post, under } from '../calls.ts';
import { cleanName } from '../names/names.ts';
import { plainText } from '../names/plain-text.ts';

export const CONTENTS_LIMITS = {
  listed: 500,
  uri: 2_000,
  name: 200,
  argument: 4_000,
  arguments: 20,
  text: 20_000,
} as const;

/** A tool server as far as a person may read from it: their own, or one of the operator's. `key` begins the ids of its tools. */
export const readableServer = z.object({ id: z.string(), key: z.string(), name: z.string() });
export type ReadableServer = z.infer<typeof readableServer>;
export const readableServersAnswer = z.object({ servers: z.array(readableServer) });

export const serverResource = z.object({
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.string(),
});
export type ServerResource = z.infer<typeof serverResource>;

/** An address with blanks to fill in, as in `files://{name}`. */
export const serverTemplate = z.object({
  template: z.string(),
  name: z.string(),
  description: z.string(),
  /** The blanks; null for a form of address that only programs fill in. */
  variables: z.array(z.string()).nullable(),
});
export type ServerTemplate = z.infer<typeof serverTemplate>;

export const serverPrompt = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
});
export type ServerPrompt = z.infer<typeof serverPrompt>;

/** `more`: the server has others that are not listed. */
export const serverResourcesAnswer = z.object({
  resources: z.array(serverResource),
  templates: z.array(serverTemplate),
  more: z.boolean(),
});
export const serverPromptsAnswer = z.object({ prompts: z.array(serverPrompt), more: z.boolean() });

export const resourceRead = z.strictObject({
  uri: plainText(CONTENTS_LIMITS.uri, 'The address').trim().min(1, 'Choose a resource.'),
});

export const promptGet = z.strictObject({
  name: plainText(CONTENTS_LIMITS.name, 'The name').min(1, 'Choose a prompt.'),
  arguments: z
    .record(z.string().max(CONTENTS_LIMITS.name), plainText(CONTENTS_LIMITS.argument, 'A value'))
    .refine((all) => Object.keys(all).length <= CONTENTS_LIMITS.arguments, 'A prompt takes 20 values at most.')
    .default({}),
});
export type PromptGet = z.input<typeof promptGet>;

/** A picture or document of a resource, which can be attached to a message. */
export const serverFile = z.object({ name: z.string(), type: z.string(), base64: z.string() });
export type ServerFile = z.infer<typeof serverFile>;

/** What a server answered: as text, and files. `cut`: the text is longer. `left`: parts that are neither, each in words. */
export const serverContent = z.object({
  text: z.string(),
  cut: z.boolean(),
  left: z.array(z.string()),
  files: z.array(serverFile).optional(),
});
export type ServerContent = z.infer<typeof serverContent>;
export const serverContentAnswer = z.object({ content: serverContent });

/** A server may answer slowly, so the number of calls at once is limited. */
const CONNECTS = { rate: 'serverContents', place: 'serverContents', fails: ['provider_failed'] } as const;

export const serverContentCalls = calls(under('/api/mcp-servers', { who: 'pro' }), {
  servers: get('/readable', 'listReadableServers', 'The tool servers whose resources and prompts you may read.', {
    answer: readableServersAnswer,
  }),
  resources: get('/:serverId/resources', 'listServerResources', 'What a tool server has to read.', {
    ...CONNECTS,
    answer: serverResourcesAnswer,
  }),
  prompts: get('/:serverId/prompts', 'listServerPrompts', 'The prompts of a tool server.', {
    ...CONNECTS,
    answer: serverPromptsAnswer,
  }),
  readResource: post('/:serverId/resources/read', 'readServerResource', 'The text of a resource.', {
    ...CONNECTS,
    body: resourceRead,
    answer: serverContentAnswer,
  }),
  getPrompt: post('/:serverId/prompts/get', 'getServerPrompt', 'The text of a prompt.', {
    ...CONNECTS,
    body: promptGet,
    answer: serverContentAnswer,
  }),
});

const BEGINS = '> **From the tool server “';

/**
 * A text of a tool server as a quotation in a message: the person sees and sends it, but the words are not theirs. Facts are never taken
 * from quotations, and a run that reads this one counts as having read words of others.
 */
export function quoteServer({ server, name, text }: { server: string; name: string; text: string }): string {
  const plain = (words: string) => cleanName(words).replaceAll(/\s+/gu, ' ').slice(0, CONTENTS_LIMITS.name);
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u).map((line) => `> ${line}`);
  return [`${BEGINS}${plain(server)}”: ${plain(name)}**`, '>', ...lines].join('\n');
}

/** Whether a message quotes a tool server. */
export const quotesServer = (message: string): boolean => message.startsWith(BEGINS) || message.includes(`\n${BEGINS}`);

/** A message without what it quotes of tool servers: the person's own words, and what they quoted otherwise. */
export function withoutServerQuotes(message: string): string {
  if (!quotesServer(message)) return message;
  let inside = false;
  const own = message.split('\n').filter((line) => {
    inside = line.startsWith(BEGINS) || (inside && line.startsWith('>'));
    return !inside;
  });
  return own.join('\n').trim();
}
