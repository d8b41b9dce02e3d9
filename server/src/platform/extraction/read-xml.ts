import { Parser } from 'saxen';
import { decodeText } from './decode-text.ts';
import type { Document } from './passages.ts';
import { shownPath, type Value, valueSections } from './read-values.ts';
import { Unreadable } from './unreadable.ts';

const DEPTH_MAX = 200;

/** XML: every text and attribute with its path. Entities that a document defines itself are not expanded. */
export function readXml(data: Uint8Array): Document {
  const values = valuesOf(decodeText(data));
  return { sections: () => valueSections(values) };
}

function valuesOf(xml: string): Value[] {
  const values: Value[] = [];
  const open: { name: string; counts: Map<string, number> }[] = [{ name: '$', counts: new Map() }];
  const path = () => open.map(({ name }) => name).join('.');
  const tell = (name: string, text: string) => {
    const words = text.split(/\s+/).join(' ').trim();
    if (words !== '') values.push({ path: path(), line: `${shownPath(name)}: ${words}` });
  };
  const parser = new Parser()
    .on('openTag', (name, attributes, decode) => {
      const counts = open.at(-1)?.counts;
      const count = (counts?.get(name) ?? 0) + 1;
      counts?.set(name, count);
      open.push({ name: count === 1 ? name : `${name}[${count}]`, counts: new Map() });
      if (open.length > DEPTH_MAX) throw new Unreadable(`This XML is nested deeper than ${DEPTH_MAX} levels.`);
      for (const [key, value] of Object.entries(attributes())) tell(`${path()}.${key}`, decode(value));
    })
    .on('closeTag', () => void open.pop())
    .on('text', (text, decode) => tell(path(), decode(text)))
    .on('cdata', (text) => tell(path(), text))
    .on('error', (error, context) => {
      throw error instanceof Unreadable
        ? error
        : new Unreadable(`This file is not valid XML (line ${context().line + 1}).`);
    });
  parser.parse(xml);
  if (open.length > 1) throw new Unreadable('This file is not valid XML: it ends too early.');
  return values;
}
