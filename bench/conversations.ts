import { readFileSync } from 'node:fs';
import { z } from 'zod';

const turn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const question = z.object({ question: z.string(), evidence: z.array(z.string()).default([]), category: z.number() });
const sample = z.object({
  sample_id: z.string(),
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(question),
});

export interface Conversation {
  id: string;
  /** `at`: its start in milliseconds since 1970, read as UTC. */
  sessions: { id: string; at: number; turns: { id: string; speaker: string; text: string }[] }[];
  questions: { text: string; category: number; evidence: string[] }[];
}

/** Reads conversations in LoCoMo's format (Maharana et al. 2024); throws for any other format. */
export function readConversations(file: string): Conversation[] {
  return z
    .array(sample)
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .map(toConversation);
}

function toConversation({ sample_id, conversation, qa }: z.infer<typeof sample>): Conversation {
  const sessions = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    .map((key) => ({
      id: key,
      at: readTime(conversation[`${key}_date_time`]),
      turns: z
        .array(turn)
        .parse(conversation[key])
        .map((t) => ({
          id: t.dia_id,
          speaker: t.speaker,
          text: `${t.speaker}: ${t.text}${t.blip_caption ? ` [${t.blip_caption}]` : ''}`,
        })),
    }));
  const questions = qa
    .map((q) => ({
      text: q.question,
      category: q.category,
      evidence: q.evidence.flatMap((e) => e.split(/[;, ]+/)).filter((e) => e !== ''),
    }))
    .filter((q) => q.evidence.length > 0);
  return { id: sample_id, sessions, questions };
}

/** “1:56 pm on 8 May, 2023”; 0 without a time. */
function readTime(text: unknown): number {
  const [, hour, minute, half, date] = /^(\d+):(\d+) ([ap]m) on (.+)$/.exec(String(text)) ?? [];
  if (date === undefined) return 0;
  return Date.parse(`${date} ${(Number(hour) % 12) + (half === 'pm' ? 12 : 0)}:${minute} UTC`);
}
