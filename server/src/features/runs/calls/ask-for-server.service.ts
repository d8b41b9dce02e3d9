import { type ToolCall, toolAnswer } from '@atelier/contract/tools';
import type { Deps } from '../../../platform/deps.ts';
import type { McpAnswer, McpQuestion } from '../../../platform/mcp/mcp-connection.ts';
import { storableText } from '../../../platform/storable-json.ts';
import { waitForWord } from '../engine/await-decision.service.ts';
import type { Run } from '../engine/run.ts';
import { readForm } from './question-form.ts';

const MESSAGE_MAX = 4_000;
const QUESTIONS_MAX = 10;

/** Asks the person what a server wants to know in the middle of a call; shown with the call until they answer. */
export async function askForServer(
  ctx: Deps,
  run: Run,
  asked: { call: ToolCall; server: string; count: number; question: McpQuestion; before: McpAnswer | undefined },
  show: (change: Partial<ToolCall>) => Promise<void>,
): Promise<McpAnswer> {
  const { call, server, count, question, before } = asked;
  // A server that refuses an answer asks again.
  const fields = readForm(question.schema, before?.action === 'accept' ? before.content : {});
  if (fields === null) throw new Error('The form has a field that can’t be shown here.');
  if (count > QUESTIONS_MAX || question.signal.aborted) return { action: 'cancel' };
  const id = `${call.id}/${count}`;
  const message = storableText(question.message, MESSAGE_MAX);
  await show({ state: 'waiting', asks: { id, server, message, fields } });
  const word = await waitForWord(ctx, run, id, question.signal);
  delete call.asks;
  await show({ state: 'running' });
  if (word === null) return { action: 'cancel' };
  const { action, content } = toolAnswer.parse(JSON.parse(word));
  return action === 'accept' ? { action, content } : { action };
}
