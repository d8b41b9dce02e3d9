import { setImmediate } from 'node:timers/promises';
import { SENTENCES } from '@atelier/contract/errors';
import type { Task, TokenUsage } from '@atelier/contract/runs';
import type { Deps } from '../../../platform/deps.ts';
import { takeTurn } from '../../../platform/event-loop.ts';
import type { Cut } from '../../../platform/models/models.ts';
import { ProviderError } from '../../../platform/models/provider-error.ts';
import type { TokenCount } from '../../../platform/models/tokens.ts';
import { outageOf } from '../../../platform/outage.ts';
import { type LedgerEntry, recordTokens } from '../../ledger/ledger.service.ts';
import { assemble, type Prompt, type PromptTrace } from './assemble.service.ts';
import { noExposure } from './exposure.service.ts';
import { answerEntry, finishRun, type RunOutcome } from './finish.service.ts';
import { INTERRUPTED } from './lease.service.ts';
import type { EventLog } from './log.ts';
import { boundOf, type Run, RunStopped } from './run.ts';

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
export async function executeRun(
  ctx: Deps,
  events: EventLog,
  run: Run,
  closing: AbortSignal,
): Promise<Task | undefined> {
  const partial: PartialAnswer = { text: '', thoughts: '', thoughtMs: 0, heardAt: 0, usage: null, shortened: false };
  const model = ctx.models.accepted(run.agent.model);
  const exposure = noExposure();
  const tokens: LedgerEntry[] = [];
  // The request's own answer goes out first: on the embedded database each statement occupies this thread.
  await setImmediate();
  const outcome = await answer(ctx, events, run, { partial, exposure, model, tokens }).catch((error: unknown) =>
    outcomeOf(ctx, run, error, partial),
  );
  const rest = await events.end(run);
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

/** What a run leaves even when it fails: its text so far, and what was in its prompt. */
interface Trace extends PromptTrace {
  partial: PartialAnswer;
}

const TOO_LONG = 'The conversation is too long for the model. Trying again with less of it.';

/** Asks the model; once more with less of the conversation where it refuses that as too long. */
async function answer(ctx: Deps, events: EventLog, run: Run, trace: Trace): Promise<RunOutcome> {
  const { partial } = trace;
  const assembled = await assemble(ctx, events, run, trace);
  try {
    return await listen(ctx, events, run, trace, assembled);
  } catch (error) {
    const isTooLong = error instanceof ProviderError && error.isTooLong && assembled.hasMore;
    const hasBegun = partial.text !== '' || events.eventsOf(run.taskId)?.some(({ event }) => event.type === 'tool');
    if (!isTooLong || hasBegun || run.controller.signal.aborted) throw error;
    partial.shortened = true;
    events.append(run, { type: 'wait', why: TOO_LONG });
    return await listen(ctx, events, run, trace, await assemble(ctx, events, run, trace));
  }
}

async function listen(
  ctx: Deps,
  events: EventLog,
  run: Run,
  { partial, model, tokens }: Trace,
  { input, refuse, isLong, isFirst }: Prompt,
): Promise<RunOutcome> {
  const { signal } = run.controller;
  signal.throwIfAborted();
  const halves = { delta: '', thought: '' };
  partial.heardAt = performance.now();
  const onUnfinished = (taken: TokenCount) => tokens.push(answerEntry(ctx, run, model, taken));
  for await (const event of ctx.models.stream({ ...input, ...boundOf(run), onUnfinished })) {
    await takeTurn();
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
    if (whole !== '') appendToAnswer(events, run, partial, { type: event.type, text: whole });
  }
  if (partial.text.trim() === '') throw new ProviderError('The provider sent an empty answer.');
  return { status: 'done', ...endOf(partial), isLong, isFirst };
}

/** Adds words to what the model has said or thought, and tells the followers. */
function appendToAnswer(
  events: EventLog,
  run: Run,
  partial: PartialAnswer,
  words: { type: 'delta' | 'thought'; text: string },
): void {
  const now = performance.now();
  const before = events.eventsOf(run.taskId)?.at(-1)?.event.type;
  // Waiting for a tool or a busy provider is not thinking.
  if (words.type === 'thought' && before !== 'tool' && before !== 'wait') partial.thoughtMs += now - partial.heardAt;
  partial.heardAt = now;
  if (words.type === 'delta') {
    partial.text += words.text;
    if (partial.text.length > ANSWER_MAX) throw new ProviderError('The answer never finished.');
  } else if (partial.thoughts.length >= THOUGHTS_MAX) return;
  else partial.thoughts += words.text;
  events.append(run, words);
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

/** Splits off half of a surrogate pair at the end, and removes what PostgreSQL can't store. */
function splitWhole(text: string): { whole: string; half: string } {
  const last = text.charCodeAt(text.length - 1);
  const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
  return { whole: text.slice(0, cut).replaceAll('\0', '').toWellFormed(), half: text.slice(cut) };
}
