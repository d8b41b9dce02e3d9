import { quotesServer } from '@atelier/contract/composer/server-contents';
import type { MemoryItem } from '@atelier/contract/memory';
import { type Exposure, expose, type Source } from './exposure.ts';
import type { Run } from './run.ts';

const MEMORIES: Source = { label: 'what this agent remembers' };
const FILES: Source = { label: 'the files of this agent' };
const CONVERSATION: Source = { label: 'earlier messages of this session' };
const ATTACHED: Source = { label: 'what is attached to this conversation' };
const QUOTED: Source = { label: 'earlier answers that drew on words of others' };
const QUOTED_SERVER: Source = { label: 'what you attached from a tool server' };
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

interface Told {
  readUntrusted: boolean;
  attachments?: readonly unknown[];
}

/** Records what the agent itself and the conversation so far bring into the prompt. */
export function noteConversation(
  run: Run,
  exposure: Exposure,
  { history, summary }: { history: readonly Told[]; summary: Told | undefined },
): void {
  if (run.agent.foreignPrompt) expose(exposure, PROMPT, ['untrusted']);
  // A person may attach what somebody else wrote.
  const isAttached = [run, ...history].some(({ attachments = [] }) => attachments.length > 0);
  if (isAttached) expose(exposure, ATTACHED, ['private', 'untrusted']);
  if (quotesServer(run.inputText)) expose(exposure, QUOTED_SERVER, ['private', 'untrusted']);
  const told = summary === undefined ? history : [...history, summary];
  if (told.length > 0) expose(exposure, CONVERSATION, ['private']);
  if (told.some(({ readUntrusted }) => readUntrusted)) expose(exposure, QUOTED, ['untrusted']);
}
