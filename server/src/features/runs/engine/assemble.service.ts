import { recallScope } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { takeTurn } from '../../../platform/event-loop.ts';
import type { GenerateInput, ModelInfo, RefusedCall } from '../../../platform/models/models.ts';
import { countTokens } from '../../../platform/models/tokens.ts';
import { factsRoom, selectFacts } from '../../facts/select-facts.service.ts';
import type { LedgerEntry } from '../../ledger/ledger.service.ts';
import { type RecalledItem, recallSoon } from '../../memory/memory.service.ts';
import { SEARCH_TOKENS } from '../../tools/search-tools.service.ts';
import { attachEarlierFiles, attachMessageFiles } from '../attached/attached.service.ts';
import { noteOmittedTools } from '../calls/omitted-tools.service.ts';
import type { LoggedEvent } from '../runs.events.ts';
import { earlierRoom, fairLength, fitHistory, fitTools, historyRoom, ToolRoom } from './budget.ts';
import {
  type ContextQuery,
  type EarlierCall,
  findWithheld,
  HISTORY_EXCHANGES,
  type RunContext,
  readContext,
} from './context.queries.ts';
import { buildInput } from './context.ts';
import { type Exposure, noteConversation, noteRecalled } from './exposure.service.ts';
import { untilAnswered } from './lease.service.ts';
import type { EventLog } from './log.ts';
import { fitMemories, quoteEarlierCalls, sizeOf } from './quotations.ts';
import type { Run } from './run.ts';
import { offerTools, openRunTools } from './tool-calls.service.ts';

/** How many memories go with a message. */
const RECALL_LIMIT = 8;
/** How many are recalled for that: the conversation may hold some of them, and some repeat others. */
const RECALL_MORE = 2;
/** How many more to recall when some are left out on request. */
const WITHHELD_MAX = 100;
/** When a conversation takes more than this share of its room, its beginning is summarised after the answer. */
const LONG_SHARE = 0.6;

/** What a run leaves even when it fails: what was in its prompt, and what its calls took. */
export interface PromptTrace {
  exposure: Exposure;
  model: ModelInfo;
  /** For the ledger. */
  tokens: LedgerEntry[];
  /** The conversation was too long for the model, which gets less of it. */
  partial: { shortened: boolean };
}

/** What the model gets, and what its size means. */
export interface Prompt {
  input: GenerateInput;
  refuse: (call: RefusedCall) => Promise<void>;
  /** The session has grown long, and its beginning needs a summary. */
  isLong: boolean;
  /** The session has no answer yet. */
  isFirst: boolean;
  /** It has something beside prompt and message, which can be left out. */
  hasMore: boolean;
}

/**
 * Collects what the model gets within its window: the newest exchanges, the summary of older ones, and of what was recalled whatever these
 * don't hold, which becomes the receipt. Reads all of it while the memories are ranked.
 */
export async function assemble(
  ctx: Deps,
  events: EventLog,
  run: Run,
  { exposure, model, tokens: spent, partial: { shortened } }: PromptTrace,
): Promise<Prompt> {
  const { agent, inputText, sessionId } = run;
  // A database that is away is waited for.
  const { attached, budget } = await untilAnswered(ctx, run, () => attachMessageFiles(ctx, run, model.sight));
  const withheld = await untilAnswered(ctx, run, () => findWithheld(ctx.db, run.uid, run.without));
  const reading = run.context ?? readFor(ctx, run, withheld.exchanges);
  const [context, gathered] = await gather(reading, recallFor(ctx, run, reading, withheld.memories, spent));
  const { history: newestFirst, summary } = context;
  const { described, searchable, used: descriptions } = model.tools ? await toolsFor(ctx, run, budget.room) : NO_TOOLS;
  // What the conversation holds is not quoted again, so the conversation is fitted first, beside the most that memory could take.
  const reserved = Math.min(budget.memory, sizeOf(gathered.memories) + factsRoom(context.facts, budget.memory));
  const earlier = earlierAnswers(newestFirst, budget.room);
  const rest = Math.max(
    0,
    budget.room - reserved - countTokens((summary?.text ?? '') + earlier.join('')) - descriptions,
  );
  const talk = historyRoom(rest, described.length + searchable.length > 0);
  const history = fitHistory(newestFirst, talk);
  const exchanges = new Set(history.exchanges.map(({ exchange }) => exchange));
  const selection = selectFacts(context.facts, gathered.memories, {
    question: inputText,
    exchanges,
    tokens: budget.memory,
    without: [...run.without, ...withheld.memories],
  });
  const fitting = { message: inputText, exchanges, limit: RECALL_LIMIT, tokens: reserved - sizeOf(selection.facts) };
  const recalled = fitMemories(selection.passages, fitting);
  const memories = [...selection.facts, ...recalled];
  if (memories.length > 0 || gathered.partial || shortened) events.append(run, receiptOf(memories, gathered.partial));
  const quotesOthers = memories.some((memory) => memory.quotesOthers);
  noteRecalled(exposure, memories, quotesOthers);
  noteConversation(run, exposure, { history: newestFirst, summary });
  const isLong = history.cut || newestFirst.length === HISTORY_EXCHANGES || history.used > talk * LONG_SHARE;
  const tokens = rest + reserved - sizeOf(memories) - history.used;
  const material = { attached, recalled: memories, exchanges: history.exchanges, sees: model.sight, tokens };
  const beside = await untilAnswered(ctx, run, () => attachEarlierFiles(ctx, run, material));
  const room = new ToolRoom(tokens - beside.used);
  const { tools, refuse } = offerTools({ described, searchable }, { ctx, events, run, exposure, room, model });
  const { promptAttachments } = beside;
  const conversation = { inputText, attached: run.attachments, sessionId, promptAttachments, history: beside.history };
  const input = buildInput(
    { agent, recalled, summary, factSelection: selection, ...conversation, tools, earlier, model: model.id },
    hooksOf(events, run, room),
  );
  const hasMore = history.exchanges.length + memories.length + tools.length > 0 || promptAttachments.quoted !== '';
  return { input, refuse, isLong, isFirst: context.isFirst, hasMore };
}

/** Both, once others had their turn: what follows computes, and many messages may have come at once. */
async function gather<Read, Recall>(reading: Read | Promise<Read>, recall: Promise<Recall>): Promise<[Read, Recall]> {
  const both = await Promise.all([reading, recall]);
  await takeTurn();
  return both;
}

const hooksOf = (
  events: EventLog,
  run: Run,
  room: ToolRoom,
): Pick<GenerateInput, 'signal' | 'fitAnswers' | 'onWait'> => ({
  signal: run.controller.signal,
  fitAnswers: (answers) => room.fit(answers),
  onWait: (why) => events.append(run, { type: 'wait', why }),
});

const NO_TOOLS = { described: [], searchable: [], used: 0 };

/** What tools answered to the newest messages, oldest first, within their share of the room. */
function earlierAnswers(newestFirst: readonly { calls: readonly EarlierCall[] }[], room: number): string[] {
  const calls = newestFirst.toReversed().flatMap((exchange) => exchange.calls);
  const lengths = calls.map(([tool, input, answer]) => countTokens(tool + input + answer));
  return quoteEarlierCalls(calls, fairLength(lengths, earlierRoom(room)));
}

const readFor = (ctx: Deps, run: Run, withheld: readonly string[]): Promise<RunContext> =>
  untilAnswered(ctx, run, () => readContext(ctx.db, contextOf(run, withheld)));

const contextOf = (run: Run, withheld: readonly string[]): ContextQuery => ({
  uid: run.uid,
  agentId: run.agent.id,
  sessionId: run.sessionId,
  pinned: run.agent.memoryEnabled ? recallScope(run.plan) : 'none',
  withheld: [...withheld],
  withSummary: run.without.length === 0,
});

/** The agent's tools, as many as leave room for a conversation; the model can search those that are left. */
async function toolsFor(ctx: Deps, run: Run, room: number) {
  const { opened, missing } = await untilAnswered(ctx, run, () => openRunTools(ctx, run));
  const { fitting: described, used } = fitTools(opened, room);
  const searchable = opened.filter((tool) => !described.includes(tool));
  await noteOmittedTools(ctx, run, { searchable, missing });
  return { described, searchable, used: searchable.length === 0 ? used : used + SEARCH_TOKENS };
}

interface RecallResult {
  memories: RecalledItem[];
  /** Only part of the memory was searched. */
  partial: boolean;
}
const NOTHING: RecallResult = { memories: [], partial: false };

/** A failure of memory is our fault, and no reason to leave the person without an answer. */
async function recallFor(
  ctx: Deps,
  run: Run,
  reading: RunContext | Promise<RunContext>,
  withheld: string[],
  spent: LedgerEntry[],
): Promise<RecallResult> {
  const scope = recallScope(run.plan);
  // Files are knowledge, not memory: an agent without memory can read them too.
  if (!run.agent.memoryEnabled && scope === 'session') return NOTHING;
  const place = { userId: run.uid, agentId: run.agent.id, sessionId: run.sessionId };
  const limit = RECALL_LIMIT * RECALL_MORE + Math.min(withheld.length, WITHHELD_MAX);
  const query = {
    ...place,
    scope: run.agent.memoryEnabled ? scope : ('files' as const),
    text: run.inputText,
    limit,
    spent,
  };
  try {
    const version = Promise.resolve(reading).then((context) => context.version);
    const { memories, partial } = await recallSoon(ctx, query, { version, ahead: run.ranking });
    const { pinned } = await reading;
    const fitting = memories.filter((memory) => !pinned.some((p) => p.id === memory.id));
    const allowed = [...pinned, ...fitting].filter((memory) => !withheld.includes(memory.id));
    return { memories: allowed.slice(0, RECALL_LIMIT * RECALL_MORE + pinned.length), partial };
  } catch (error) {
    ctx.log.error('runs.recall', error, { task: run.taskId });
    return NOTHING;
  }
}

/** What was given to the run, for the log: it is stored before any word of the answer. */
function receiptOf(memories: readonly RecalledItem[], partial: boolean): LoggedEvent {
  const items = memories.map(
    ({ sessionName: _name, quotesOthers: _quotes, exchange: _exchange, words: _words, ...item }) => item,
  );
  return { type: 'memory', items, ...(partial ? { partial } : {}) };
}
