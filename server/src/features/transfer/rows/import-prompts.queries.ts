import { fitName } from '@atelier/contract/names/names';
import { PROMPT_LIMITS } from '@atelier/contract/prompts';
import { eq } from 'drizzle-orm';
import { v5 as uuidv5 } from 'uuid';
import { savedPrompts } from '../../prompts/prompts.table.ts';
import { promptRow } from '../archive/archive-rows.ts';
import { type Importer, outcome } from './import-rows.queries.ts';

/** The id that a prompt of the archive gets here: the same one each time, so that a second import finds it. */
const idHere = (uid: string, id: string) => uuidv5(`${uid}/${id}`, '7d0c1f0e-51f4-4a43-8a55-2f4f0f5b9d02');

/** Saved prompts. One with the same name and text is here already; another of that name gets a number behind it. */
export const importPrompts: Importer = async (tx, to, rows) => {
  const found = rows.flatMap((row) => promptRow.safeParse(row).data ?? []);
  const here = await tx.select().from(savedPrompts).where(eq(savedPrompts.userId, to.uid));
  const ids = new Set(here.map((row) => row.id));
  const texts = new Map(here.map(({ name, text }) => [name.toLowerCase(), text]));
  const values: (typeof savedPrompts.$inferInsert)[] = [];
  let present = 0;
  for (const { id: there, name, text, createdAt, updatedAt } of found) {
    const id = idHere(to.uid, there);
    if (ids.has(there) || ids.has(id) || texts.get(name.toLowerCase()) === text) {
      present += 1;
      continue;
    }
    if (texts.size >= PROMPT_LIMITS.prompts) break;
    const free = freeName(name, texts);
    texts.set(free.toLowerCase(), text);
    ids.add(id);
    values.push({ userId: to.uid, id, name: free, text, createdAt, updatedAt });
  }
  if (values.length > 0) await tx.insert(savedPrompts).values(values);
  return outcome(rows, values.length, present);
};

function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) {
    const number = ` (${n})`;
    free = fitName(name, PROMPT_LIMITS.name - number.length, 'Prompt') + number;
  }
  return free;
}
