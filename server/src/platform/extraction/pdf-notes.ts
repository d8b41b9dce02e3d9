import type { PDFPageProxy } from 'unpdf/pdfjs';
import { z } from 'zod';

const words = z.object({ str: z.string() }).optional().catch(undefined);
/** What we use of an annotation, which pdf.js leaves untyped. */
const annotation = z.object({
  subtype: z.string().optional().catch(undefined),
  fieldType: z.string().optional().catch(undefined),
  fieldName: z.string().catch(''),
  alternativeText: z.string().catch(''),
  fieldValue: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  checkBox: z.boolean().optional().catch(undefined),
  radioButton: z.boolean().optional().catch(undefined),
  pushButton: z.boolean().optional().catch(undefined),
  buttonValue: z.string().optional().catch(undefined),
  contentsObj: words,
  titleObj: words,
});
type Annotation = z.infer<typeof annotation>;

const COMMENTS = new Set(['Text', 'FreeText', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut', 'Caret', 'Stamp']);

/** What is filled into a page's form and what people noted on it, a line each. */
export async function pageNotes(page: PDFPageProxy): Promise<string> {
  const found = await page.getAnnotations().catch(() => []);
  const lines = found.flatMap((entry: unknown) => lineOf(annotation.parse(entry)) ?? []);
  return lines.length === 0 ? '' : `\n${[...new Set(lines)].join('\n')}`;
}

function lineOf(note: Annotation): string | undefined {
  if (note.subtype === 'Widget') return fieldLine(note);
  const text = note.contentsObj?.str.trim() ?? '';
  if (text === '' || !COMMENTS.has(note.subtype ?? '')) return undefined;
  const author = note.titleObj?.str.trim() ?? '';
  return `(Comment${author === '' ? '' : ` by ${author}`}: ${text})`;
}

function fieldLine(note: Annotation): string | undefined {
  const name = note.alternativeText.trim() || note.fieldName.trim() || 'Field';
  if (note.pushButton === true) return undefined;
  if (note.checkBox === true)
    return `${name}: ${note.fieldValue === undefined || note.fieldValue === 'Off' ? 'no' : 'yes'}`;
  if (note.radioButton === true) {
    return note.fieldValue !== undefined && note.fieldValue === note.buttonValue
      ? `${name}: ${note.fieldValue}`
      : undefined;
  }
  const value = [note.fieldValue ?? ''].flat().join(', ').trim();
  return value === '' ? undefined : `${name}: ${value}`;
}
