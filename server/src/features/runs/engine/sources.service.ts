import { quotesServer } from '@atelier/contract/mcp/server-contents';
import type { MemoryItem } from '@atelier/contract/memory';
import { parsedJson } from '../../../platform/parsed-json.ts';
import type { EarlierCall } from './context.queries.ts';
import { type Destination, type Exposure, expose, type Source } from './exposure.ts';
import { linksIn, sentAs, siteOf } from './named-addresses.ts';
import type { Run } from './run.ts';

const MEMORIES: Source = { label: 'what this agent remembers' };
const FILES: Source = { label: 'the files of this agent' };
const CONVERSATION: Source = { label: 'earlier messages of this session' };
const ATTACHED: Source = { label: 'what is attached to this conversation' };
const QUOTED: Source = { label: 'earlier answers that drew on words of others' };
const QUOTED_SERVER: Source = { label: 'what you attached from a tool server' };
const INSTRUCTIONS: Source = { label: 'the instructions of a program' };
const PROMPT: Source = { label: 'the prompt of this agent, which somebody else wrote' };

/**
 * Records what recalled memories and passages bring into the prompt; `quotesOthers` says whether an answer among them may repeat other
 * people's words. A file contains its author’s words.
 */
export function noteRecalled(
  exposure: Exposure,
  items: readonly Pick<MemoryItem, 'kind'>[],
  quotesOthers: boolean,
): void {
  if (items.some(({ kind }) => kind === 'file')) expose(exposure, FILES, ['private', 'untrusted']);
  if (items.some(({ kind }) => kind !== 'file')) expose(exposure, MEMORIES, ['private']);
  if (quotesOthers) expose(exposure, QUOTED, ['untrusted']);
}

/** Answers from elsewhere are other people's words; a tool server's answers are private too. A page's answer has links. */
export function noteAnswer(exposure: Exposure, from: Destination | null, answer: unknown): void {
  if (from === null) return;
  if ('server' in from) {
    const { server, label } = from;
    return expose(exposure, { label: `answers of the server “${label}”`, server }, ['private', 'untrusted']);
  }
  expose(exposure, { label: `a web page of ${from.page.host}` }, ['untrusted']);
  noteLinks(exposure, from.page, JSON.stringify(answer));
}

function noteLinks({ links }: Exposure, page: URL, answer: string): void {
  const known = links.get(siteOf(page)) ?? new Set();
  // Its own address may be one that a model composed.
  for (const link of linksIn(answer)) if (link !== sentAs(page)) known.add(link);
  links.set(siteOf(page), known);
}

interface Trust {
  readUntrusted: boolean;
  attachments?: readonly unknown[];
}

/** Records what the agent itself and the conversation so far bring into the prompt. */
export function noteConversation(
  run: Run,
  exposure: Exposure,
  { history, summary }: { history: readonly (Trust & { calls: readonly EarlierCall[] })[]; summary: Trust | undefined },
): void {
  if (run.agent.foreignPrompt) expose(exposure, PROMPT, ['untrusted']);
  if (run.isInstructed) expose(exposure, INSTRUCTIONS, ['private', 'untrusted']);
  // A person may attach what somebody else wrote.
  const isAttached = [run, ...history].some(({ attachments = [] }) => attachments.length > 0);
  if (isAttached) expose(exposure, ATTACHED, ['private', 'untrusted']);
  if (quotesServer(run.inputText)) expose(exposure, QUOTED_SERVER, ['private', 'untrusted']);
  const conversation = summary === undefined ? history : [...history, summary];
  if (conversation.length > 0) expose(exposure, CONVERSATION, ['private']);
  if (conversation.some(({ readUntrusted }) => readUntrusted)) expose(exposure, QUOTED, ['untrusted']);
  for (const [tool, input, answer] of history.flatMap(({ calls }) => calls)) {
    const page = tool === 'web_fetch' ? URL.parse(String(Object(parsedJson(input)).url)) : null;
    if (page !== null) noteLinks(exposure, page, answer);
  }
}
