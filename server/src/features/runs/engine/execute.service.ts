import { setImmediate } from 'node:timers/promises';
import { SENTENCES } from '@atelier/contract/errors';
import type { Task, TokenUsage } from '@atelier/contract/runs';
import { recallScope } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { Cut, GenerateInput, ModelInfo, RefusedCall } from '../../../platform/models/models.ts';
import { ProviderError } from '../../../platform/models/provider-error.ts';
import { countTokens, type TokenCount } from '../../../platform/models/tokens.ts';
import { outageOf } from '../../../platform/outage.ts';
import { factsRoom, selectFacts } from '../../facts/select-facts.service.ts';
import { type LedgerEntry, recordTokens } from '../../ledger/ledger.service.ts';
import { type Recalled, recallSoon } from '../../memory/memory.service.ts';
import { SEARCH_TOKENS } from '../../tools/search-tools.service.ts';
import { attachEarlierFiles, attachMessageFiles } from '../attached/attached.service.ts';
import { noteOmittedTools } from '../calls/omitted-tools.service.ts';
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
import { answerEntry, finishRun, type RunOutcome } from './finish.service.ts';
import { INTERRUPTED, untilAnswered } from './lease.service.ts';
import type { EventLog } from './log.ts';
import { fitMemories, quoteEarlierCalls, sizeOf } from './quotations.ts';
import { receiptOf } from './receipt.ts';
import { limitsOf, type Run, RunStopped } from './run.ts';
import { type Exposure, noExposure, noteConversation, noteRecalled } from './sources.service.ts';
import { offerTools, openRunTools } from './tools.service.ts';
import { splitWhole } from './whole-text.ts';

/** How many memories go with a message. */
const RECALL_LIMIT = 8;
/** How many are recalled for that: the conversation may hold some of them, and some repeat others. */
const RECALL_MORE = 2;
/** How many more to recall when some are left out on request. */
const WITHHELD_MAX = 100;
/** When a conversation takes more than this share of its room, its beginning is summarised after the answer. */
const LONG_SHARE = 0.6;
/** An answer is stopped at this many characters, in case a provider never stops. */
const ANSWER_MAX = 400_000;
/** Thinking is shown, not needed: this much of it is kept. */
const THOUGHTS_MAX = 32_000;

interface PartialAnswer {
  text: string;
  thoughts: string;
  thoughtMs: number;
  /** When its latest words came, or it was asked. */
  heardAt: number;
  cut?: Cut | undefined;
  usage: TokenUsage | null;
  /** The conversation was too long for the model, which got less of it. */
  shortened: boolean;
}

/**
 * Runs a task from recall to its end and stores how it ended, retrying until `closing`; never throws for a provider's error. Returns the
 * ended task, unless this process could not end it.
 */
export async function executeRun(ctx: Deps, log: EventLog, run: Run, closing: AbortSignal): Promise<Task | undefined> {
  const partial: PartialAnswer = { text: '', thoughts: '', thoughtMs: 0, heardAt: 0, usage: null, shortened: false };
  const model = ctx.models.resolve(run.agent.model);
  const exposure = noExposure();
  const tokens: LedgerEntry[] = [];
  // The request's own answer goes out first: on the embedded database each statement occupies this thread.
  await setImmediate();
  const outcome = await answer(ctx, log, run, { partial, exposure, model, tokens }).catch((error: unknown) =>
    outcomeOf(ctx, run, error, partial),
  );
  const rest = await log.end(run);
  if (partial.usage !== null) tokens.push(answerEntry(ctx, run, model, partial.usage));
  if (outcome === null) {
    await recordTokens(ctx, run.uid, tokens);
    return undefined;
  }
  // The last words go out before their storing occupies it.
  await setImmediate();
  const readUntrusted = exposure.untrusted.length > 0;
  return finishRun(ctx, run, { ...outcome, ...rest, readUntrusted, model: model.id, tokens }, closing);
}

/** What a run leaves even when it fails: the text so far, and what was in its prompt. */
interface Trace {
  partial: PartialAnswer;
  exposure: Exposure;
  model: ModelInfo;
  /** What its calls took, for the ledger. */
  tokens: LedgerEntry[];
}

const TOO_LONG = 'The conversation is too long for the model. Trying again with less of it.';

/** Asks the model; once more with less of the conversation where it refuses that as too long. */
async function answer(ctx: Deps, log: EventLog, run: Run, trace: Trace): Promise<RunOutcome> {
  const { partial } = trace;
  const assembled = await assemble(ctx, log, run, trace);
  try {
    return await listen(ctx, log, run, trace, assembled);
  } catch (error) {
    const isTooLong = error instanceof ProviderError && error.isTooLong && assembled.hasMore;
    const hasBegun = partial.text !== '' || log.eventsOf(run.taskId)?.some(({ event }) => event.type === 'tool');
    if (!isTooLong || hasBegun || run.controller.signal.aborted) throw error;
    partial.shortened = true;
    log.append(run, { type: 'wait', why: TOO_LONG });
    return await listen(ctx, log, run, trace, await assemble(ctx, log, run, trace));
  }
}

async function listen(
  ctx: Deps,
  log: EventLog,
  run: Run,
  { partial, model, tokens }: Trace,
  { input, refuse, isLong, isFirst }: Assembled,
): Promise<RunOutcome> {
  const { signal } = run.controller;
  signal.throwIfAborted();
  const halves = { delta: '', thought: '' };
  partial.heardAt = performance.now();
  const onUnfinished = (taken: TokenCount) => tokens.push(answerEntry(ctx, run, model, taken));
  for await (const event of ctx.models.stream({ ...input, ...limitsOf(run), onUnfinished })) {
    signal.throwIfAborted();
    if (event.type === 'end') {
      partial.usage = {
        ...event.usage,
        ...(partial.thoughts === '' ? {} : { thoughtMs: Math.round(partial.thoughtMs) }),
        ...(partial.shortened ? { shortened: true } : {}),
      };
      partial.cut = event.cut;
      continue;
    }
    if (event.type === 'refused') {
      await refuse(event);
      continue;
    }
    if (event.type === 'rethought') {
      rethink(partial, event.chars - halves.delta.length);
      halves.delta = '';
      continue;
    }
    // PostgreSQL can't store a NUL or half of a surrogate pair; the other half comes with the next piece.
    const { whole, half } = splitWhole(halves[event.type] + event.text);
    halves[event.type] = half;
    if (whole !== '') appendToAnswer(log, run, partial, { type: event.type, text: whole });
  }
  if (partial.text.trim() === '') throw new ProviderError('The provider sent an empty answer.');
  return { status: 'done', ...endOf(partial), isLong, isFirst };
}

/** Adds words to what the model has said or thought, and tells the followers. */
function appendToAnswer(
  log: EventLog,
  run: Run,
  partial: PartialAnswer,
  words: { type: 'delta' | 'thought'; text: string },
): void {
  const now = performance.now();
  const before = log.eventsOf(run.taskId)?.at(-1)?.event.type;
  // Waiting for a tool or a busy provider is not thinking.
  if (words.type === 'thought' && before !== 'tool' && before !== 'wait') partial.thoughtMs += now - partial.heardAt;
  partial.heardAt = now;
  if (words.type === 'delta') {
    partial.text += words.text;
    if (partial.text.length > ANSWER_MAX) throw new ProviderError('The answer never finished.');
  } else if (partial.thoughts.length >= THOUGHTS_MAX) return;
  else partial.thoughts += words.text;
  log.append(run, words);
}

/** The last words turn out to be thoughts. Who follows sees it at the end of the answer, which is sent whole. */
function rethink(partial: PartialAnswer, chars: number): void {
  const at = Math.max(0, partial.text.length - chars);
  partial.thoughts = (partial.thoughts + partial.text.slice(at)).slice(0, THOUGHTS_MAX).toWellFormed();
  partial.text = partial.text.slice(0, at);
}

const endOf = ({ text, thoughts, cut, usage }: PartialAnswer) => ({
  message: text,
  thoughts,
  usage,
  ...(cut === undefined ? {} : { cut }),
});

interface Assembled {
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
async function assemble(
  ctx: Deps,
  log: EventLog,
  run: Run,
  { exposure, model, tokens: spent, partial: { shortened } }: Trace,
): Promise<Assembled> {
  const { agent, inputText, sessionId } = run;
  // A database that is away is waited for.
  const { attached, budget } = await untilAnswered(ctx, run, () => attachMessageFiles(ctx, run, model.sight));
  const withheld = await untilAnswered(ctx, run, () => findWithheld(ctx.db, run.uid, run.without));
  const reading = run.context ?? readFor(ctx, run, withheld.exchanges);
  const [context, gathered] = await Promise.all([reading, recallFor(ctx, run, reading, withheld.memories, spent)]);
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
  const known = selectFacts(context.facts, gathered.memories, {
    question: inputText,
    exchanges,
    tokens: budget.memory,
    without: [...run.without, ...withheld.memories],
  });
  const fitting = { message: inputText, exchanges, limit: RECALL_LIMIT, tokens: reserved - sizeOf(known.facts) };
  const recalled = fitMemories(known.passages, fitting);
  const memories = [...known.facts, ...recalled];
  if (memories.length > 0 || gathered.partial || shortened) log.append(run, receiptOf(memories, gathered.partial));
  const quotesOthers = memories.some((memory) => memory.quotesOthers);
  noteRecalled(exposure, memories, quotesOthers);
  noteConversation(run, exposure, { history: newestFirst, summary });
  const isLong = history.cut || newestFirst.length === HISTORY_EXCHANGES || history.used > talk * LONG_SHARE;
  const tokens = rest + reserved - sizeOf(memories) - history.used;
  const material = { attached, recalled: memories, exchanges: history.exchanges, sees: model.sight, tokens };
  const beside = await untilAnswered(ctx, run, () => attachEarlierFiles(ctx, run, material));
  const room = new ToolRoom(tokens - beside.used);
  const { tools, refuse } = offerTools({ described, searchable }, { ctx, log, run, exposure, room, model });
  const { promptAttachments } = beside;
  const conversation = { inputText, attached: run.attachments, sessionId, promptAttachments, history: beside.history };
  const input = buildInput(
    { agent, recalled, summary, known, ...conversation, tools, earlier, model: model.id },
    hooksOf(log, run, room),
  );
  const hasMore = history.exchanges.length + memories.length + tools.length > 0 || promptAttachments.quoted !== '';
  return { input, refuse, isLong, isFirst: context.isFirst, hasMore };
}

const hooksOf = (log: EventLog, run: Run, room: ToolRoom): Pick<GenerateInput, 'signal' | 'fitAnswers' | 'onWait'> => ({
  signal: run.controller.signal,
  fitAnswers: (answers) => room.fit(answers),
  onWait: (why) => log.append(run, { type: 'wait', why }),
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

interface Gathered {
  memories: Recalled[];
  /** Only part of the memory was searched. */
  partial: boolean;
}
const NOTHING: Gathered = { memories: [], partial: false };

/** A failure of memory is our fault, and no reason to leave the person without an answer. */
async function recallFor(
  ctx: Deps,
  run: Run,
  reading: RunContext | Promise<RunContext>,
  withheld: string[],
  spent: LedgerEntry[],
): Promise<Gathered> {
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
    const { found, partial } = await recallSoon(ctx, query, { version, ahead: run.ranking });
    const { pinned } = await reading;
    const fitting = found.filter((memory) => !pinned.some((p) => p.id === memory.id));
    const allowed = [...pinned, ...fitting].filter((memory) => !withheld.includes(memory.id));
    return { memories: allowed.slice(0, RECALL_LIMIT * RECALL_MORE + pinned.length), partial };
  } catch (error) {
    ctx.log.error('runs.recall', error, { task: run.taskId });
    return NOTHING;
  }
}

/** The outcome of a run that failed or was stopped; null when this process may no longer write the task. */
function outcomeOf(ctx: Deps, run: Run, error: unknown, partial: PartialAnswer): RunOutcome | null {
  const { signal } = run.controller;
  const stopped = signal.aborted ? signal.reason : error;
  if (stopped instanceof RunStopped) {
    if (stopped.reason === 'lost') return null;
    if (stopped.reason === 'shutdown')
      return { status: 'interrupted', ...endOf(partial), usage: null, error: INTERRUPTED };
    return { status: 'cancelled', ...endOf(partial) };
  }
  if (error instanceof ProviderError) {
    const labels = { provider: error.provider ?? 'none', status: String(error.status ?? 'none') };
    ctx.metrics.count('provider_errors_total', 'Runs that failed because of a provider, by its status.', labels);
  }
  ctx.log.error('runs.failed', error, { task: run.taskId, account: run.uid, agent: run.agent.id });
  return { status: 'failed', ...endOf(partial), error: sentenceFor(error) };
}

function sentenceFor(error: unknown): string {
  if (error instanceof ProviderError) return `${SENTENCES.runFailedPrefix}${error.message}`;
  return outageOf(error) === null ? SENTENCES.runFailed : `${SENTENCES.runFailedPrefix}${SENTENCES.unavailable}`;
}
