import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { type Node, traverseFast } from '@babel/types';

/** A regular expression and its place in the source. */
export interface Pattern {
  place: string;
  source: string;
  flags: string;
}

/** Every regular expression of a source file: literals, and `new RegExp` with the file's own constants. */
export function patternsIn(file: string, text = readFileSync(file, 'utf8')): { found: Pattern[]; unknown: string[] } {
  const found: Pattern[] = [];
  const unknown: string[] = [];
  const constants = new Map<string, string>();
  const { program } = parse(text, {
    sourceType: 'module',
    plugins: file.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'],
  });
  const placeOf = ({ loc }: Node) => `${file}:${loc?.start.line}`;
  const source = ({ start, end }: Node) => text.slice(start ?? 0, end ?? 0);
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declared.declarations) {
      if (id.type === 'Identifier' && init) constants.set(id.name, source(init));
    }
  }
  const made = (node: Node) => {
    try {
      const { source: pattern, flags } = evaluate(source(node), constants);
      found.push({ place: placeOf(node), source: pattern, flags });
    } catch {
      unknown.push(placeOf(node));
    }
  };
  traverseFast(program, (node) => {
    if (node.type === 'RegExpLiteral') found.push({ place: placeOf(node), source: node.pattern, flags: node.flags });
    const makes = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (makes && node.callee.type === 'Identifier' && node.callee.name === 'RegExp') made(node);
  });
  return { found, unknown };
}

/** Evaluates an expression of our own source, with the constants that it names, directly and indirectly. */
function evaluate(code: string, constants: Map<string, string>): RegExp {
  const needed: string[] = [];
  const need = (expression: string, depth: number) => {
    if (depth > 5) return;
    for (const [name, init] of constants) {
      if (needed.includes(name) || !new RegExp(`\\b${name}\\b`).test(expression)) continue;
      need(init, depth + 1);
      needed.push(name);
    }
  };
  need(code, 0);
  const declarations = needed.map((name) => `const ${name} = ${constants.get(name)};`).join('\n');
  return Function(`${declarations}\nreturn ${code};`)();
}
