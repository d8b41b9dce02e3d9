import { Parser } from 'htmlparser2';

type Attributes = Record<string, string>;

/** A number format that is being read, as a pattern: `[h]:mm`. */
interface Format {
  name: string;
  pattern: string;
  /** Formats of values that meet a condition. */
  maps: string[];
  isPercentage: boolean;
  /** Hours, or whatever comes first, go on beyond a day. */
  isDuration: boolean;
}

const DATE_PARTS = new Map([
  ['number:day', 'd'],
  ['number:month', 'm'],
  ['number:year', 'yy'],
  ['number:day-of-week', 'ddd'],
  ['number:hours', 'h'],
  ['number:minutes', 'm'],
  ['number:seconds', 's'],
]);

/** The number formats of an OpenDocument spreadsheet's cell styles, as patterns. */
export function formatsIn(parts: string[]): Map<string, string> {
  const patterns = new Map<string, string>();
  const styles = new Map<string, string>();
  const parents = new Map<string, string>();
  let format: Format | undefined;
  let isText = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        isText = name === 'number:text' || name === 'number:currency-symbol';
        const own = attributes['style:name'] ?? '';
        if (name === 'style:style' && attributes['style:family'] === 'table-cell') {
          if (attributes['style:data-style-name'] !== undefined) styles.set(own, attributes['style:data-style-name']);
          parents.set(own, attributes['style:parent-style-name'] ?? '');
        }
        if (/^number:.*-style$/.test(name)) format = begin(name, own, attributes);
        else if (format !== undefined) format.pattern += partOf(name, attributes, format);
        const applied = patterns.get(attributes['style:apply-style-name'] ?? '');
        const condition = /^value\(\)(?<rest>[<>=!]{1,2}-?[\d.]{1,20})$/.exec(attributes['style:condition'] ?? '')
          ?.groups?.rest;
        if (name === 'style:map' && applied !== undefined && condition !== undefined)
          format?.maps.push(`[${condition.replace('!=', '<>')}]${applied}`);
      },
      ontext(text) {
        if (!isText || format === undefined) return;
        format.pattern += format.isPercentage && text.includes('%') ? text : `"${text.replaceAll('"', '')}"`;
      },
      onclosetag(name) {
        isText = false;
        if (format === undefined || !/^number:.*-style$/.test(name)) return;
        patterns.set(format.name, [...format.maps, format.pattern || '@'].join(';'));
        format = undefined;
      },
    },
    { xmlMode: true },
  );
  for (const part of parts) parser.parseComplete(part);
  const formats = new Map<string, string>();
  for (const name of new Set([...styles.keys(), ...parents.keys()])) {
    const pattern = patterns.get(styles.get(name) ?? styles.get(parents.get(name) ?? '') ?? '');
    if (pattern !== undefined) formats.set(name, pattern);
  }
  return formats;
}

const begin = (element: string, name: string, attributes: Attributes): Format => ({
  name,
  pattern: '',
  maps: [],
  isPercentage: element === 'number:percentage-style',
  isDuration: attributes['number:truncate-on-overflow'] === 'false',
});

function partOf(name: string, attributes: Attributes, format: Format): string {
  const isLong = attributes['number:style'] === 'long';
  const letters = DATE_PARTS.get(name);
  if (letters !== undefined) {
    const twice = attributes['number:textual'] === 'true' ? 'mmm' : letters;
    const long = twice === 'mmm' || twice === 'ddd' ? `${twice}${twice[0]}` : twice.repeat(2);
    const part = isLong ? long : twice;
    const decimals = count(attributes['number:decimal-places'], 0);
    const shown = format.isDuration ? `[${part}]` : part;
    format.isDuration = false;
    return decimals === 0 ? shown : `${shown}.${'0'.repeat(decimals)}`;
  }
  if (name === 'number:am-pm') return 'AM/PM';
  if (name === 'number:text-content') return '@';
  if (name === 'number:number') return digitsOf(attributes);
  if (name === 'number:scientific-number')
    return `${digitsOf(attributes)}E+${'0'.repeat(count(attributes['number:min-exponent-digits'], 2))}`;
  if (name !== 'number:fraction') return '';
  const below =
    attributes['number:denominator-value'] ?? '?'.repeat(count(attributes['number:min-denominator-digits'], 1));
  return `# ${'?'.repeat(count(attributes['number:min-numerator-digits'], 1))}/${below}`;
}

/** `#,##0.00` */
function digitsOf(attributes: Attributes): string {
  const places = attributes['number:decimal-places'];
  if (places === undefined && attributes['number:min-integer-digits'] === undefined) return 'General';
  const whole = '0'.repeat(count(attributes['number:min-integer-digits'], 1)) || '#';
  const decimals = count(places, 0);
  const surely = Math.min(decimals, count(attributes['number:min-decimal-places'], decimals));
  const fraction = `${'0'.repeat(surely)}${'#'.repeat(decimals - surely)}`;
  return `${attributes['number:grouping'] === 'true' ? '#,##' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** How many digits are asked for, as far as people read them. */
function count(digits: string | undefined, otherwise: number): number {
  const number = Number(digits ?? otherwise);
  return Number.isInteger(number) && number >= 0 ? Math.min(number, 20) : otherwise;
}
