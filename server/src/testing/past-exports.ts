import { zipOf } from './documents.ts';

/** A message of a made conversation; `parent` is the one before it. */
export interface MadeMessage {
  id: string;
  parent: string | null;
  role: 'user' | 'assistant';
  text: string;
  /** In seconds. */
  at: number;
}

export interface MadeTalk {
  id: string;
  title: string;
  messages: MadeMessage[];
  /** The last message of the path that was shown. */
  current: string;
}

const BEGIN = Date.UTC(2023, 2, 1) / 1_000;
/** Every so many messages, an answer was made again, and a message written again. */
const [AGAIN, EDITED] = [6, 10];

/** Conversations with branches: as many messages as asked for, in talks of up to this length. */
export function makeTalks(messages: number, length: number): MadeTalk[] {
  const talks: MadeTalk[] = [];
  for (let left = messages; left > 0; left -= length)
    talks.push(makeTalk(`talk-${talks.length}`, Math.min(left, length), talks.length));
  return talks;
}

function makeTalk(id: string, length: number, n: number): MadeTalk {
  const messages: MadeMessage[] = [];
  let last: MadeMessage | null = null;
  const add = (role: MadeMessage['role'], parent: MadeMessage | null): MadeMessage => {
    const at = messages.length;
    const text =
      role === 'user' ? `Question ${at} of ${id}: how hot is kiln ${at}?` : `Kiln ${at} has ${900 + at} degrees.`;
    const message = { id: `${id}-${at}`, parent: parent?.id ?? null, role, text, at: BEGIN + n * 86_400 + at * 30 };
    messages.push(message);
    return message;
  };
  for (let turn = 1; messages.length < length; turn += 1) {
    const question: MadeMessage = add('user', last);
    if (messages.length < length) last = add('assistant', question);
    if (turn % AGAIN === 0 && messages.length < length) last = add('assistant', question);
    if (turn % EDITED === 0 && messages.length + 1 < length) {
      const parent = messages.find((one) => one.id === question.parent) ?? null;
      last = add('assistant', add('user', parent));
    }
  }
  return { id, title: `Talk ${n}`, messages, current: messages.at(-1)?.id ?? '' };
}

export const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();
export const childrenOf = ({ messages }: MadeTalk) => Map.groupBy(messages, ({ parent }) => parent);

export const chatGptTalk = (talk: MadeTalk) => {
  const children = childrenOf(talk);
  const nodes = talk.messages.map(({ id, parent, role, text, at }) => [
    id,
    {
      id,
      parent: parent ?? 'root',
      children: (children.get(id) ?? []).map((one) => one.id),
      message: {
        id,
        author: { role },
        create_time: at,
        recipient: 'all',
        content: { content_type: 'text', parts: [text] },
        metadata: { model_slug: 'gpt-4o' },
      },
    },
  ]);
  const root = { id: 'root', message: null, parent: null, children: [] };
  const mapping = { root, ...Object.fromEntries(nodes) };
  const create_time = talk.messages[0]?.at;
  return { conversation_id: talk.id, title: talk.title, create_time, current_node: talk.current, mapping };
};

export const claudeTalk = (talk: MadeTalk) => ({
  uuid: talk.id,
  name: talk.title,
  created_at: iso(talk.messages[0]?.at ?? BEGIN),
  chat_messages: talk.messages.map(({ id, parent, role, text, at }) => ({
    uuid: id,
    parent_message_uuid: parent ?? '00000000-0000-4000-8000-000000000000',
    sender: role === 'user' ? 'human' : 'assistant',
    text,
    content: [{ type: 'text', text }],
    created_at: iso(at),
    attachments: [],
    files: [],
  })),
});

export const chatGptExport = (talks: MadeTalk[]) =>
  zipOf({ 'conversations.json': JSON.stringify(talks.map(chatGptTalk)), 'user.json': '{"id":"user-1"}' });
/** A conversation on one path. */
export const madeTalk = (...said: [role: 'user' | 'assistant', text: string][]): MadeTalk => {
  const messages = said.map(([role, text], n) => {
    const parent = n === 0 ? null : `m${n - 1}`;
    return { id: `m${n}`, parent, role, text, at: 1_700_000_000 + n };
  });
  return { id: 'one', title: 'Trips', messages, current: `m${said.length - 1}` };
};
