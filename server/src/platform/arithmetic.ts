import { Parser } from 'expr-eval-fork';

const EXPRESSION_MAX = 500;
const UNARY = ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sqrt', 'cbrt', 'ln', 'log2', 'log10', 'abs', 'ceil'];
const MORE_UNARY = ['floor', 'round', 'trunc', 'exp', 'sign', '-', '+'];
/** What assigns, defines, loops or returns something other than a number. */
const OFF = 'assignment fndef in logical comparison conditional concatenate factorial random length'.split(' ');
const FUNCTIONS = ['min', 'max', 'pow', 'hypot', 'roundTo'];

function createParser(): Parser {
  const parser = new Parser({
    allowMemberAccess: false,
    operators: Object.fromEntries(OFF.map((name) => [name, false])),
  });
  const keep = (table: Record<string, unknown>, names: string[]) => {
    for (const name of Object.keys(table)) if (!names.includes(name)) delete table[name];
  };
  keep(parser.unaryOps, [...UNARY, ...MORE_UNARY]);
  keep(parser.functions, FUNCTIONS);
  keep(parser.consts, ['PI', 'E']);
  return parser;
}

/** Evaluates an arithmetic expression to 15 digits; throws an Error with a sentence when it has no value. Linear in its length. */
export function calculate(expression: string): number {
  if (expression.length > EXPRESSION_MAX)
    throw new Error(`An expression can have at most ${EXPRESSION_MAX} characters.`);
  const normalized = expression
    .replaceAll(/[×·]/g, '*')
    .replaceAll('÷', '/')
    .replaceAll('−', '-')
    .replaceAll('**', '^')
    .replaceAll('π', 'PI')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  let value: unknown;
  try {
    value = createParser().evaluate(normalized);
  } catch (error) {
    throw new Error(`This is not an expression that can be calculated: ${error instanceof Error ? error.message : ''}`);
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error('The expression has no finite value.');
  return Number(value.toPrecision(15));
}
