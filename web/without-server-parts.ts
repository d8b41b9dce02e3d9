import { parseAst } from 'vite';

const METHODS = new Set(['get', 'post', 'create', 'put', 'patch', 'remove']);

interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  callee?: Node;
  arguments?: Node[];
  properties?: (Node & { key?: Node })[];
}

/** A file of the contract without what only the server needs of its calls: everything but method, path, the answer's schema, and whether it is public. */
export function withoutServerParts(code: string): string {
  const cuts: [start: number, end: number, instead: string][] = [];
  const visit = (node: Node): void => {
    const [, id, summary, options] = node.arguments ?? [];
    if (node.type === 'CallExpression' && METHODS.has(node.callee?.name ?? '') && id !== undefined) {
      for (const words of [id, summary]) if (words) cuts.push([words.start, words.end, "''"]);
      if (options) {
        const parts = options.properties
          ?.map(({ key, start, end }) => ({ name: key?.name, text: code.slice(start, end) }))
          .filter(({ name, text }) => name === 'answer' || text === "who: 'public'")
          .map(({ text }) => text);
        cuts.push([options.start, options.end, parts?.length ? `{ ${parts.join(', ')} }` : '{}']);
      }
      return;
    }
    for (const inner of Object.values(node).flat()) if (typeof inner?.type === 'string') visit(inner as Node);
  };
  visit(parseAst(code) as unknown as Node);
  return cuts.reduceRight((rest, [start, end, instead]) => rest.slice(0, start) + instead + rest.slice(end), code);
}
