// Turns published talk between a person and an assistant into the format that the memory bench reads. The data stays outside the project.
//   node scripts/run.mjs bench/convert-dialogues.ts --from realmem|halumem FILE … > OUT.json
// realmem: a person's file of RealMem (arXiv 2601.06966); a question is what the person writes in the middle of work, its evidence is the
// turns that the answer's memories were taken from, and only the sessions before it are remembered.
// halumem: a person's line of HaluMem (arXiv 2511.03506); evidence is any turn of the session that a fact comes from.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

const MINUTE = 60_000;
const AGENT = 'Assistant';

interface Told {
  speaker: string;
  text: string;
}
interface Asked {
  question: string;
  category: number;
  /** What answers it, as turns of sessions; any of those listed together will do. */
  evidence: { session: number; turn: number }[][];
  /** Only the sessions before this one are remembered; without it, all. */
  before?: number;
}

const realmem = z.object({
  dialogues: z.array(
    z.object({
      session_uuid: z.string(),
      current_time: z.string(),
      dialogue_turns: z.array(
        z.object({
          speaker: z.string(),
          content: z.string(),
          is_query: z.boolean().nullish(),
          memory_used: z.array(z.object({ session_uuid: z.string(), content: z.unknown() })).nullish(),
        }),
      ),
      extracted_memory: z.array(z.object({ content: z.unknown(), source_content_snapshot: z.string().nullish() })),
    }),
  ),
});

function readRealmem(file: string) {
  const { dialogues } = realmem.parse(JSON.parse(readFileSync(file, 'utf8')));
  const keyOf = (session: string, content: unknown) => JSON.stringify([session, content]);
  const sources = new Map<string, { session: number; turn: number }>();
  for (const [session, { session_uuid, dialogue_turns, extracted_memory }] of dialogues.entries()) {
    for (const { content, source_content_snapshot } of extracted_memory) {
      const turn = dialogue_turns.findIndex((t) => t.content === source_content_snapshot);
      if (turn >= 0) sources.set(keyOf(session_uuid, content), { session, turn });
    }
  }
  const asked = dialogues.flatMap(({ dialogue_turns }, before) =>
    dialogue_turns.flatMap((turn, at): Asked[] => {
      if (!turn.is_query) return [];
      const used = turn.memory_used?.length ? turn.memory_used : (dialogue_turns[at + 1]?.memory_used ?? []);
      const found = used.flatMap(({ session_uuid, content }) => sources.get(keyOf(session_uuid, content)) ?? []);
      const told = found.filter(({ session }) => session < before);
      const distinct = [...new Map(told.map((one) => [JSON.stringify(one), [one]])).values()];
      return [{ question: turn.content, category: 1, evidence: distinct, before }];
    }),
  );
  const sessions = dialogues.map(({ current_time, dialogue_turns }) => ({
    at: Date.parse(`${current_time.slice(0, 10)}T10:00:00Z`),
    turns: dialogue_turns.map(({ speaker, content }): Told => ({ speaker, text: content })),
  }));
  return { id: basename(file, '.json'), sessions, asked };
}

const halumem = z.object({
  uuid: z.string(),
  sessions: z.array(
    z.object({
      start_time: z.string(),
      dialogue: z.array(z.object({ role: z.string(), content: z.string() })),
      memory_points: z.array(z.object({ memory_content: z.string() })),
      questions: z
        .array(z.object({ question: z.string(), evidence: z.array(z.object({ memory_content: z.string() })) }))
        .nullish(),
    }),
  ),
});

function readHalumem(file: string) {
  const { uuid, sessions } = halumem.parse(JSON.parse(readFileSync(file, 'utf8').split('\n', 1)[0] ?? ''));
  const sources = new Map<string, number>();
  for (const [at, { memory_points }] of sessions.entries()) {
    for (const { memory_content } of memory_points) sources.set(memory_content, at);
  }
  const asked = sessions.flatMap(({ questions }) =>
    (questions ?? []).map(({ question, evidence }): Asked => {
      const from = evidence.flatMap(({ memory_content }) => sources.get(memory_content) ?? []);
      const all = [...new Set(from)].map((session) =>
        (sessions[session]?.dialogue ?? []).map((_, turn) => ({ session, turn })),
      );
      return { question, category: 1, evidence: all };
    }),
  );
  const told = sessions.map(({ start_time, dialogue }) => ({
    at: Date.parse(`${start_time} UTC`),
    turns: dialogue.map(({ role, content }): Told => ({ speaker: role === 'assistant' ? AGENT : role, text: content })),
  }));
  return { id: uuid, sessions: told, asked };
}

/** “1:56 pm on 8 May, 2023”, in UTC. */
function writeTime(at: number): string {
  const time = new Date(Math.floor(at / MINUTE) * MINUTE);
  const hour = time.getUTCHours();
  const month = time.toLocaleString('en', { month: 'long', timeZone: 'UTC' });
  const minute = String(time.getUTCMinutes()).padStart(2, '0');
  const half = hour < 12 ? 'am' : 'pm';
  return `${hour % 12 || 12}:${minute} ${half} on ${time.getUTCDate()} ${month}, ${time.getUTCFullYear()}`;
}

const nameOf = (session: number) => `session_${session + 1}`;
const idOf = ({ session, turn }: { session: number; turn: number }) => `${session + 1}:${turn + 1}`;

function write({ id, sessions, asked }: ReturnType<typeof readRealmem>) {
  const conversation: Record<string, unknown> = { agent: AGENT };
  for (const [session, { at, turns }] of sessions.entries()) {
    conversation[`${nameOf(session)}_date_time`] = writeTime(at);
    conversation[nameOf(session)] = turns.map((told, turn) => ({ ...told, dia_id: idOf({ session, turn }) }));
  }
  const qa = asked
    .filter(({ evidence }) => evidence.length > 0)
    .map(({ question, category, evidence, before }) => ({
      question,
      category,
      evidence: evidence.map((any) => any.map(idOf)),
      ...(before !== undefined && { before: nameOf(before) }),
    }));
  return { sample_id: id, conversation, qa };
}

const { values, positionals } = parseArgs({ options: { from: { type: 'string' } }, allowPositionals: true });
const read = { realmem: readRealmem, halumem: readHalumem }[String(values.from)];
if (read === undefined || positionals.length === 0) throw new Error('--from realmem|halumem FILE …');
process.stdout.write(JSON.stringify(positionals.map((file) => write(read(file)))));
