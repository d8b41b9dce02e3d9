import { quotesServer } from '@atelier/contract/mcp/server-contents';
import type { MemoryItem } from '@atelier/contract/memory';
import { parsedJson } from '../../../platform/parsed-json.ts';
import type { EarlierCall } from './context.queries.ts';
import { linksIn, sentAs, siteOf } from './named-addresses.ts';
import type { Run } from './run.ts';

/** Something in a run's prompt, in words for the person. */
interface ExposedText {
  label: string;
  /** The tool server it came from; sending a server its own answers reveals nothing. */
  server?: string;
}

/**
 * What has entered a run's prompt: private data, and other people's words. When both are in, nothing leaves without asking, because such
 * words can tell a model to send private data away.
 */
export interface Exposure {
  /** Beside the message and the agent's prompt, which are private in every run. */
  private: ExposedText[];
  untrusted: ExposedText[];
  /** The addresses in the pages that were read, by the site of the page. */
  links: Map<string, Set<string>>;
}

/** Where a call sends its input: to a web page's host, or to a tool server. */
export type CallTarget = { page: URL } | { server: string; label: string };

const OWN_WORDS: ExposedText = { label: 'your message and the prompt of this agent' };

export const noExposure = (): Exposure => ({ private: [], untrusted: [], links: new Map() });

const has = (sources: ExposedText[], { label, server }: ExposedText) =>
  sources.some((source) => source.label === label && source.server === server);

/** Records a source as `private`, as `untrusted`, or as both. */
function expose(exposure: Exposure, source: ExposedText, kinds: ('private' | 'untrusted')[]): void {
  for (const kind of kinds) if (!has(exposure[kind], source)) exposure[kind].push(source);
}

/**
 * Which private data could go to a destination because of whose words; null when sending there is safe. A tool server may get words of the
 * message and the prompt while only its own answers were read: what it wants of them, its description says, which was approved.
 */
export function dangerOf(exposure: Exposure, to: CallTarget): { secrets: string[]; writers: string[] } | null {
  const isOther = ({ server }: ExposedText) => !('server' in to) || server !== to.server;
  const ownWords = exposure.untrusted.some(isOther) ? [OWN_WORDS] : [];
  const secrets = [...ownWords, ...exposure.private.filter(isOther)];
  if (secrets.length === 0 || exposure.untrusted.length === 0) return null;
  return { secrets: labelsOf(secrets), writers: labelsOf(exposure.untrusted) };
}

const labelsOf = (sources: ExposedText[]) => [...new Set(sources.map(({ label }) => label))];

const MEMORIES: ExposedText = { label: 'what this agent remembers' };
const FILES: ExposedText = { label: 'the files of this agent' };
const CONVERSATION: ExposedText = { label: 'earlier messages of this session' };
const ATTACHED: ExposedText = { label: 'what is attached to this conversation' };
const QUOTED: ExposedText = { label: 'earlier answers that drew on words of others' };
const QUOTED_SERVER: ExposedText = { label: 'what you attached from a tool server' };
const INSTRUCTIONS: ExposedText = { label: 'the instructions of a program' };
const PROMPT: ExposedText = { label: 'the prompt of this agent, which somebody else wrote' };

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
export function noteAnswer(exposure: Exposure, from: CallTarget | null, answer: unknown): void {
  if (from === null) return;
  if ('server' in from) {
    const { server, label } = from;
    return expose(exposure, { label: `answers of the server “${label}”`, server }, ['private', 'untrusted']);
  }
  expose(exposure, { label: `a web page of ${from.page.host}` }, ['untrusted']);
  noteLinks(exposure, from.page, JSON.stringify(answer));
}

function noteLinks({ links }: Exposure, page: URL, answer: string): void {
  const ofSite = links.get(siteOf(page)) ?? new Set();
  // Its own address may be one that a model composed.
  for (const link of linksIn(answer)) if (link !== sentAs(page)) ofSite.add(link);
  links.set(siteOf(page), ofSite);
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
