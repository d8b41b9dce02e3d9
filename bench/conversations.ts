import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';

const turn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const question = z.object({
  question: z.string(),
  evidence: z.array(z.string().or(z.array(z.string()))).default([]),
  before: z.string().optional(),
});
const sample = z.object({
  sample_id: z.string(),
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(question),
});

export interface Turn {
  /** Parts of one long message may share it. */
  id: string;
  kind: 'person' | 'agent';
  /** Named only where two people talk. */
  speaker?: string;
  text: string;
}

export interface Question {
  text: string;
  /** What answers it; any of the turns listed together will do. */
  evidence: string[][];
}

export interface Conversation {
  id: string;
  /** `at`: its start in milliseconds since 1970, read as UTC. */
  sessions: { id: string; at: number; turns: Turn[] }[];
  questions: Question[];
  /** Whether it goes on after its questions. */
  partial: boolean;
}

/** Conversations that are measured, and learned from, as one. */
export interface DataSet {
  name: string;
  /** Asked in the middle of the talk, so that the same talk stands here once for each session that something is asked in. */
  along: boolean;
  conversations: Conversation[];
}

/** Who is the agent, where the data doesn't say. */
const ASSISTANT = 'assistant';

/**
 * Reads conversations in LoCoMo's format (Maharana et al. 2024), which may name an `agent`, list evidence of which any will do, and ask
 * `before` a session, so that only earlier ones are remembered; throws for any other format.
 */
export function readConversations(file: string): Conversation[] {
  return z
    .array(sample)
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .flatMap(toConversations);
}

/** One file's talk in all the ways it is asked: what taught one of them is no judge of another. */
export type Family = DataSet[];

/** With fewer questions, a derived set says nothing. */
const FEW = 50;
const questionsOf = ({ conversations }: DataSet) =>
  conversations.reduce((sum, { questions }) => sum + questions.length, 0);

/** Twenty memories of a talk with no more sessions are from nearly all of them by chance, so by session it says nothing. */
const FEW_SESSIONS = 20;

/** Several talks as one memory: all that was said, in the order of the days, and every question. */
function joinTalks(conversations: Conversation[]): Conversation {
  const sessions = conversations.flatMap((one) =>
    one.sessions.map(({ id, at, turns }) => ({
      id: `${one.id} ${id}`,
      at,
      turns: turns.map((turn) => ({ ...turn, id: `${one.id} ${turn.id}` })),
    })),
  );
  const questions = conversations.flatMap((one) =>
    one.questions.map(({ text, evidence }) => ({
      text,
      evidence: evidence.map((any) => any.map((id) => `${one.id} ${id}`)),
    })),
  );
  return { id: 'joined', sessions: sessions.sort((a, b) => a.at - b.at), questions, partial: false };
}

/**
 * Each file as a set of its own, with the same talk asked in flow where a person talks with an agent at length. Short talks are remembered
 * together.
 */
export const readFamilies = (files: string[]): Family[] =>
  files.map((file) => {
    const apart = readConversations(file);
    const isShort = apart.every(({ partial, sessions }) => !partial && sessions.length <= FEW_SESSIONS);
    const conversations = isShort ? [joinTalks(apart)] : apart;
    const set = { name: basename(file, '.json'), along: conversations.some(({ partial }) => partial), conversations };
    return [set, inFlow(set)].filter((one) => one === set || questionsOf(one) >= FEW);
  });

function toConversations({ sample_id, conversation, qa }: z.infer<typeof sample>): Conversation[] {
  const read = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    .map((key) => ({
      id: key,
      at: readTime(conversation[`${key}_date_time`]),
      turns: z.array(turn).parse(conversation[key]),
    }));
  const agent = z.string().catch(ASSISTANT).parse(conversation.agent);
  const withAgent = read.some(({ turns }) => turns.some(({ speaker }) => speaker === agent));
  const sessions = read.map((session) => ({
    ...session,
    turns: session.turns.map((t): Turn => {
      const text = t.blip_caption ? `${t.text} [${t.blip_caption}]` : t.text;
      if (withAgent) return { id: t.dia_id, kind: t.speaker === agent ? 'agent' : 'person', text };
      return { id: t.dia_id, kind: 'person', speaker: t.speaker, text: `${t.speaker}: ${text}` };
    }),
  }));
  const ends = new Set(qa.map(({ before }) => before));
  return [...ends].map((before) => {
    const end = sessions.findIndex(({ id }) => id === before);
    return {
      id: before === undefined ? sample_id : `${sample_id} before ${before}`,
      sessions: end < 0 ? sessions : sessions.slice(0, end),
      questions: qa.filter((q) => q.before === before).flatMap(toQuestion),
      partial: end >= 0,
    };
  });
}

function toQuestion({ question: text, evidence }: z.infer<typeof question>): Question[] {
  const told = evidence
    .flatMap((e): string[][] => (typeof e === 'string' ? e.split(/[;, ]+/).map((id) => [id]) : [e]))
    .filter((any) => any.some((id) => id !== ''));
  return told.length === 0 ? [] : [{ text, evidence: told }];
}

/** “1:56 pm on 8 May, 2023”; 0 without a time. */
function readTime(text: unknown): number {
  const [, time, date] = /^(.+) on (.+)$/.exec(String(text)) ?? [];
  return date === undefined ? 0 : Date.parse(`${date} ${time} UTC`);
}

/** The shortest message, in characters, that is work rather than a question. */
const LONG = 150;

/**
 * The same talk, asked otherwise: the last long message that a person wrote in each session is the query, what was said there before is its
 * evidence, any of it, and the message with all after it is not remembered. Empty where no one talks with an agent.
 */
function inFlow({ name, along, conversations }: DataSet): DataSet {
  return {
    name: `${name}, in flow`,
    along,
    conversations: (along ? [] : conversations).map(continued).filter((c) => c.questions.length > 0),
  };
}

function continued(conversation: Conversation): Conversation {
  const questions: Question[] = [];
  const sessions = conversation.sessions.map((session) => {
    const said = session.turns.filter(({ kind }) => kind === 'person');
    const last = said.at(-1)?.id;
    const text = said.flatMap((t) => (t.id === last ? [t.text] : [])).join('\n');
    const at = session.turns.findIndex(({ id }) => id === last);
    const talksToAgent = session.turns.some(({ kind }) => kind === 'agent');
    if (at < 2 || text.length < LONG || !talksToAgent) return session;
    const turns = session.turns.slice(0, at);
    questions.push({ text, evidence: [[...new Set(turns.map(({ id }) => id))]] });
    return { ...session, turns };
  });
  return { id: conversation.id, sessions, questions, partial: false };
}
