import { format, getFormatDateInfo, getFormatFromId } from 'numfmt';

const ISO_DAY = 'yyyy-mm-dd';
/** Formats that each country's program shows in its own way: dates, and times of East Asia. */
const LOCAL_FORMATS = new Map([[14, ISO_DAY], [22, `${ISO_DAY} hh:mm`], ...range(27, 36), ...range(50, 58)]);

function range(from: number, to: number): [number, string][] {
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const id = from + at;
    return [id, id >= 32 && id <= 35 ? 'hh:mm:ss' : ISO_DAY];
  });
}

/** The pattern of a number format by its id, where the workbook doesn't define it. */
export const builtInFormat = (id: number): string => LOCAL_FORMATS.get(id) ?? getFormatFromId(id) ?? 'General';

/** Days from the beginning of the dates that most workbooks count from to that of the others. */
const DAYS_TO_1904 = 1_462;

/** A number or text as the spreadsheet program shows it: `40:30`, `00123`, `-1,234.50 €`. */
export function cellText(value: number | string, pattern: string, { since1904 = false } = {}): string {
  const { year, month, day } = getFormatDateInfo(pattern);
  const isDay = typeof value === 'number' && (year || month || day);
  const shown = isDay && since1904 ? value + DAYS_TO_1904 : value;
  const text = formatted(shown, pattern);
  // Only its country tells whether 3/4/2026 is in March or in April.
  const isUnclear = isDay && year && month && day && /^\d{1,2}[/-]\d{1,2}[/-]\d/.test(text);
  return isUnclear ? `${text} (${formatted(shown, ISO_DAY)})` : text;
}

function formatted(value: number | string, pattern: string): string {
  // Excel shortens long numbers, which are numbers of articles and accounts.
  if (pattern === 'General' && Number.isInteger(value)) return String(value);
  try {
    return format(pattern, value, { locale: 'en' }).trim();
  } catch {
    return String(value);
  }
}

/** What stands in a cell whose formula was never calculated. */
export const unsolved = (formula: string): string =>
  `no stored result${formula === '' ? '' : ` (=${formula.slice(0, 200)})`}`;
