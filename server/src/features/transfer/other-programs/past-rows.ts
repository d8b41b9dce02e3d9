import { cleanName, fitName } from '@atelier/contract/names/names';
import { SESSION_NAME_MAX } from '@atelier/contract/sessions';
import { type PastProgram } from '@atelier/contract/transfer/imports';
import { PROGRAM_NAMES } from '@atelier/contract/transfer/past';
import { v5 as uuidv5 } from 'uuid';
import { toMemories } from '../../memory/memory.service.ts';
import { answerOf, NO_MESSAGE, type PastExchange, type PastTree } from './exchanges.ts';
import type { ListedConversation } from './past.table.ts';
import type { ForeignConversation } from './programs.ts';

const NAMESPACE = '5c0a8d7e-5a0f-4f0e-9b57-0d7a7e3c6b1d';
const UNTITLED = 'Conversation';
const MODEL_CHARS = 200;

const iso = (at: number) => new Date(at).toISOString();

/** The agent of an archive that an export of this program becomes: always the same, so that a later export goes to it as well. */
export const agentOf = (program: PastProgram): string => uuidv5(program, NAMESPACE);

/** A conversation's session: always the same for the same conversation, so that a second import finds the first one's. */
export function sessionIdOf({ program, id, title, messages }: ForeignConversation): string {
  const name = id === '' ? `${title}/${messages[0]?.id ?? ''}` : id;
  return uuidv5(`${program}/${name}`, NAMESPACE);
}

/** What a conversation is in an archive, and how the person sees it before. */
export function listConversation(talk: ForeignConversation, tree: PastTree): Omit<ListedConversation, 'memories'> {
  const times = tree.exchanges.flatMap(({ at, answeredAt }) => [at, answeredAt]);
  const [from, to] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const title = fitName(cleanName(talk.title.replaceAll('\0', '')), SESSION_NAME_MAX, UNTITLED);
  const { messages, branches, exchanges } = tree;
  const counts = { messages, branches, exchanges: exchanges.length };
  return { sessionId: sessionIdOf(talk), title, from: iso(from), to: iso(to), ...counts };
}

export const sessionRowOf = (
  program: PastProgram,
  { sessionId, title, from }: ListedConversation,
  archived: boolean,
) => ({
  id: sessionId,
  agentId: agentOf(program),
  name: title,
  nameSource: 'person',
  archived,
  createdAt: from,
  deletedAt: null,
});

/**
 * The rows of exchanges, each of which stands after the one that it follows: the exchange, its place in the tree, and what is remembered of it.
 */
export function* exchangeRows(program: PastProgram, sessionId: string, exchanges: readonly PastExchange[]) {
  // Once each: a key may be long, and any number of exchanges may follow the same one.
  const ids = new Map<PastExchange, string>();
  for (const exchange of exchanges) {
    const id = uuidv5(exchange.key, sessionId);
    ids.set(exchange, id);
    const parentId = exchange.parent === null ? sessionId : ids.get(exchange.parent);
    yield rowsOf(program, { id, sessionId, parentId }, exchange);
  }
}

function rowsOf(
  program: PastProgram,
  { id, sessionId, parentId }: { id: string; sessionId: string; parentId: string | undefined },
  exchange: PastExchange,
) {
  const { input, onPath, model } = exchange;
  const [at, answeredAt] = [iso(exchange.at), iso(exchange.answeredAt)];
  const message = answerOf(exchange);
  const own = { id, agentId: agentOf(program), sessionId, createdAt: at };
  const memoriesOf = (kind: 'person' | 'agent', text: string, createdAt: string) =>
    toMemories(kind, text).map((memory, n) => {
      const more = { taskId: id, speaker: null, pinned: false, originId: null, forgottenAt: null };
      return { ...own, ...more, ...memory, id: uuidv5(`${kind}/${n}`, id), createdAt };
    });
  return {
    exchange: {
      ...own,
      agentName: PROGRAM_NAMES[program],
      inputText: input,
      message,
      status: message === '' ? 'cancelled' : 'done',
      model: model.replaceAll('\0', '').slice(0, MODEL_CHARS).toWellFormed(),
      memoryUsed: [],
      memoryPartial: false,
      toolCalls: [],
      tokenUsage: null,
      error: null,
      retryOf: null,
      without: [],
      finishedAt: answeredAt,
    },
    branch: {
      taskId: id,
      sessionId,
      parentId,
      originId: null,
      onPath,
      chosenAt: at,
      deletedAt: null,
    },
    // As here: what was never answered isn't remembered.
    memories:
      message === ''
        ? []
        : [
            ...(input === NO_MESSAGE ? [] : memoriesOf('person', input, at)),
            ...memoriesOf('agent', message, answeredAt),
          ],
  };
}
export type MemoryRow = ReturnType<typeof rowsOf>['memories'][number];
