import type { GenerateContext, GenerateInput } from './models.ts';

export function composeReply(input: { context: GenerateContext; messages: GenerateInput['messages'] }): string {
  const last = input.messages.at(-1)?.text ?? '';
  return `I am the built-in offline model of ${input.context.agentName}. You wrote: “${last}”`;
}
