import type { ToolCall } from '@atelier/contract/tools';
import type { OpenedTool } from '../../tools/tools.service.ts';
import { type Destination, dangerOf, type Exposure } from './exposure.ts';
import { namedBy } from './named-addresses.ts';
import type { Run } from './run.ts';

/** Why a call asks the person, and what “for this session” would be tied to. */
export interface Question {
  shown: NonNullable<ToolCall['question']>;
  /** The tool's hash as shown, or the one host to allow. */
  binding: string;
  /** Whether this call could carry private data to the author of something in the prompt. */
  isDangerous: boolean;
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Where a call sends its input; null when it stays here, or its address is invalid. */
export function destinationOf(tool: OpenedTool, input: unknown): Destination | null {
  if (tool.server !== null) return { server: tool.id.split('__', 1)[0] ?? '', label: tool.server };
  const address = tool.addressOf?.(input);
  const page = address === undefined ? null : URL.parse(address);
  return page === null ? null : { page };
}

/** The question to ask before a call may run; null when none is needed. */
export function questionFor(run: Run, exposure: Exposure, tool: OpenedTool, to: Destination | null): Question | null {
  if (tool.isOff) return null;
  const danger = to === null ? null : dangerOf(exposure, to);
  const named = to !== null && 'page' in to ? namedBy(run.inputText, to.page) : null;
  const isDangerous = danger !== null && named !== 'exact';
  const why = [
    ...(tool.writes ? ['It can change something outside of this conversation.'] : []),
    ...(changedSince(run, tool) ? ['Its server may have changed it since you turned it on for this agent.'] : []),
    ...(to !== null && 'page' in to && named === null ? ['Your message does not name this address.'] : []),
    ...(isDangerous
      ? [
          `This answer uses ${listed.format(danger.secrets)} together with text written by others: ${listed.format(danger.writers)}. Such text may try to send your data away.`,
        ]
      : []),
  ];
  if (why.length === 0) return null;
  const shown = { why: why.join(' '), to: to === null ? '' : 'page' in to ? to.page.href : to.label };
  const binding = to !== null && 'page' in to ? to.page.origin : (tool.hash ?? '');
  return { shown, binding, isDangerous };
}

/** Whether a server's tool has changed since the person turned it on for the agent. */
const changedSince = ({ agent }: Run, { id, hash }: OpenedTool): boolean =>
  hash !== null && !agent.toolPins.some(([tool, pinned]) => tool === id && pinned === hash);
