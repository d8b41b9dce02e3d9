import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/** A regular expression and where it is written. */
export interface Pattern {
  place: string;
  source: string;
  flags: string;
}

/** Every regular expression of a source file: literals, and `new RegExp` of what the file's own constants say. */
export function patternsIn(file: string, text = readFileSync(file, 'utf8')): { found: Pattern[]; unknown: string[] } {
  const found: Pattern[] = [];
  const unknown: string[] = [];
  const constants = new Map<string, string>();
  const { program } = parseSync(file, text);
  const placeOf = ({ start }: { start: number }) => `${file}:${text.slice(0, start).split('\n').length}`;
  const source = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declared.declarations) {
      if (id.type === 'Identifier' && init) constants.set(id.name, source(init));
    }
  }
  const made = (node: { start: number; end: number }) => {
    try {
      const { source: pattern, flags } = evaluate(source(node), constants);
      found.push({ place: placeOf(node), source: pattern, flags });
    } catch {
      unknown.push(placeOf(node));
    }
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ place: placeOf(node), source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') made(node);
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') made(node);
    },
  }).visit(program);
  return { found, unknown };
}

/** The value of an expression of our own source, with the constants that it names, and those that they name. */
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
