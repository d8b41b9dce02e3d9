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
  const cutOptions = ({ properties = [], start, end }: Node) => {
    const parts = properties
      .map((one) => ({ name: one.key?.name, text: code.slice(one.start, one.end) }))
      .filter(({ name, text }) => name === 'answer' || text === "who: 'public'");
    cuts.push([start, end, parts.length > 0 ? `{ ${parts.map(({ text }) => text).join(', ')} }` : '{}']);
  };
  const visit = (node: Node): void => {
    const [, second, third, options] = node.arguments ?? [];
    const name = node.type === 'CallExpression' ? (node.callee?.name ?? '') : '';
    if (METHODS.has(name) && second !== undefined) {
      for (const words of [second, third]) if (words) cuts.push([words.start, words.end, "''"]);
      if (options) cutOptions(options);
      return;
    }
    if (name === 'under' && second !== undefined) cutOptions(second);
    for (const inner of Object.values(node).flat()) if (typeof inner?.type === 'string') visit(inner as Node);
  };
  visit(parseAst(code) as unknown as Node);
  return cuts.reduceRight((rest, [start, end, instead]) => rest.slice(0, start) + instead + rest.slice(end), code);
}
