import { z } from 'zod';
import { defineTool, type RunnableTool } from './tools.define.ts';

const RESULTS_MAX = 8;
/** Names, so that a model knows what kind of tools there are. */
const NAMES_MAX = 30;

/** What searching and calling what was found take of a model's window. */
export const SEARCH_TOKENS = 700;

/** The name by which a model calls a tool that it found. */
export const CALL_TOOL = 'call_tool';
export const toolCallInput = z.object({ name: z.string(), input: z.unknown().optional() });

/** A tool that finds others: those whose descriptions don't fit into the model's window. */
export function searchTool(others: readonly RunnableTool[]): RunnableTool {
  const names = others.slice(0, NAMES_MAX).map(({ id }) => id);
  const more = others.length > names.length ? `, and ${others.length - names.length} more` : '';
  return defineTool({
    id: 'find_tools',
    description: `Finds tools by what they do, among ${others.length} that are not described here. Call the ones that it finds by ${CALL_TOOL}. Their names: ${names.join(', ')}${more}.`,
    input: z.object({ query: z.string().min(1).max(500).describe('A few words: what the tool should do') }),
    run: async ({ query }) => {
      const ranked = rank(others, query).slice(0, RESULTS_MAX);
      return {
        tools: ranked.map(({ id, description, inputSchema }) => ({ name: id, description, input: inputSchema })),
      };
    },
  });
}

/** How a model calls a tool that it found. */
export const CALL_TOOL_SETTINGS = {
  description: 'Calls a tool that find_tools has found.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Its name, as find_tools gave it' },
      input: { type: 'object', description: 'Its input, as find_tools described it' },
    },
    required: ['name', 'input'],
  },
};

/** The tool that a model means; models leave out a server's part of the name. */
export const findNamed = (others: readonly RunnableTool[], name: string): RunnableTool | undefined =>
  others.find(({ id }) => id === name) ?? others.find(({ id }) => id.endsWith(`__${name}`));

/** Those that have any of the words, best first; all of them when none has. */
function rank(others: readonly RunnableTool[], query: string): RunnableTool[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
  const scored = others.map((tool) => {
    const name = tool.id.toLowerCase();
    const text = tool.description.toLowerCase();
    const score = words.reduce((sum, word) => sum + (name.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0), 0);
    return { tool, score };
  });
  const matches = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return (matches.length > 0 ? matches : scored).map(({ tool }) => tool);
}
