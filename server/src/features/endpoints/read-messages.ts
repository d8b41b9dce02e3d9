import { AGENT_LIMITS } from '@atelier/contract/agents';
import { inputText } from '@atelier/contract/runs';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';

/** What a request asks: the message itself, and what is added to the agent's prompt for this answer. */
export interface Asked {
  text: string;
  instructions: string;
}

interface Message {
  role?: string | undefined;
  content?: unknown;
}

const content = z.union([
  z.string(),
  z.array(z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() })),
]);

/**
 * Of a whole history, the last message of the user is the message: the session remembers what came before it. System and developer
 * messages are added to the agent's prompt. 400 with `field` for anything but text.
 */
export function readMessages(messages: readonly Message[], field: string, instructions = ''): Asked {
  const last = messages.findLast(({ role }) => role === 'user');
  if (last === undefined) throw new AppError('invalid_input', 'There is no message of the user.', { field });
  const orders = messages.filter(({ role }) => role === 'system' || role === 'developer');
  const added = [instructions, ...orders.map((message) => textOf(message, field))].filter((text) => text.trim() !== '');
  return { text: checkText(textOf(last, field), field), instructions: checkInstructions(added.join('\n\n'), field) };
}

function textOf(message: Message, field: string): string {
  const read = content.safeParse(message.content);
  if (!read.success) throw new AppError('invalid_input', 'Only text is read here, no pictures or files.', { field });
  return typeof read.data === 'string' ? read.data : read.data.map(({ text }) => text).join('\n');
}

function checkText(text: string, field: string): string {
  const checked = inputText.safeParse(text);
  if (checked.success) return checked.data;
  throw new AppError('invalid_input', checked.error.issues[0]?.message ?? '', { field });
}

function checkInstructions(text: string, field: string): string {
  if (text.length <= AGENT_LIMITS.prompt) return text;
  const sentence = `System messages can have at most ${AGENT_LIMITS.prompt.toLocaleString('en')} characters together.`;
  throw new AppError('invalid_input', sentence, { field });
}
