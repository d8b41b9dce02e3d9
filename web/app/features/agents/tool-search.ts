import type { Tool } from '@atelier/contract/tools';
import { hasWords } from '../../ui/list/has-words.ts';

/** The tools in whose id, description or server every word of the query stands; those of `first` before the others. */
export function matchingTools(tools: readonly Tool[], query: string, first: readonly string[]): Tool[] {
  const found = tools.filter(({ id, title = '', description, server }) =>
    hasWords(`${id} ${id.replaceAll('_', ' ')} ${title} ${description} ${server ?? ''}`, query),
  );
  const rank = (tool: Tool) => (first.includes(tool.id) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
