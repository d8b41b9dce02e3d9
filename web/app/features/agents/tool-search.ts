import type { Tool } from '@atelier/contract/tools';

/** The tools in whose id, description or server every word of the query stands; those of `first` before the others. */
export function matchingTools(tools: readonly Tool[], query: string, first: readonly string[]): Tool[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = tools.filter(({ id, title = '', description, server }) => {
    const text = `${id} ${id.replaceAll('_', ' ')} ${title} ${description} ${server ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = (tool: Tool) => (first.includes(tool.id) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
