import { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';
import { decodeText } from './decode-text.ts';
import type { Document, Section } from './passages.ts';
import { Unreadable } from './unreadable.ts';

const lines = z.union([z.string(), z.array(z.string()).transform((all) => all.join(''))]);
const output = z.object({
  text: lines.optional(),
  data: z.object({ 'text/plain': lines.optional() }).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const cell = z.object({ cell_type: z.string(), source: lines, outputs: z.array(output).optional() });
const notebook = z.object({ cells: z.array(cell) });

/** A Jupyter notebook: each cell with what it printed. */
export function readNotebook(data: Uint8Array): Document {
  const read = notebook.safeParse(parsedJson(decodeText(data)));
  if (!read.success) throw new Unreadable('This file is not a valid notebook.');
  const { cells } = read.data;
  return {
    sections: function* (): Iterable<Section> {
      for (const [at, { source, outputs = [] }] of cells.entries()) {
        const printed = outputs.map(({ text, data: shown, ename, evalue }) =>
          [text, shown?.['text/plain'], ename === undefined ? undefined : `${ename}: ${evalue ?? ''}`]
            .filter(Boolean)
            .join('\n'),
        );
        yield { place: `cell ${at + 1}`, text: [source, ...printed].join('\n') };
      }
    },
  };
}
