import { unzipSync, zipSync } from 'fflate';
import { amendCells } from './amend-cells.ts';
import { amendRuns } from './amend-runs.ts';
import { partsOf } from './unzip.ts';

/** What officeparser loses, by kind: in which parts, and how it is written so that it doesn't. */
const AMENDED = new Map<string, { parts: RegExp; amend: (xml: string, styles: string) => string }>([
  ['docx', { parts: /^word\/(?:document|footnotes|endnotes|comments|header|footer)\d{0,4}\.xml$/, amend: amendRuns }],
  ['pptx', { parts: /^ppt\/(?:slides|notesSlides)\/[^/]{1,80}\.xml$/, amend: amendRuns }],
  ['ods', { parts: /^content\.xml$/, amend: amendCells }],
]);

/** A measured archive whose parts say what officeparser would lose in words that it knows. */
export async function amendArchive(kind: string, data: Uint8Array): Promise<Uint8Array> {
  const { parts, amend } = AMENDED.get(kind) ?? {};
  if (parts === undefined || amend === undefined) return data;
  const [styles] = await partsOf(data, (name) => name === 'styles.xml');
  const changed = new Map<string, Uint8Array>();
  for (const { name, text } of await partsOf(data, (found) => parts.test(found))) {
    const amended = amend(text, styles?.text ?? '');
    if (amended !== text) changed.set(name, new TextEncoder().encode(amended));
  }
  return changed.size === 0 ? data : zipSync({ ...unzipSync(data), ...Object.fromEntries(changed) }, { level: 0 });
}
