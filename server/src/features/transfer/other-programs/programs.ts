import type { PastProgram } from '@atelier/contract/transfer/imports';
import { isRecord } from '../../../platform/parsed-json.ts';

/** A message of an export, or a node without one that others hang on. */
export interface PastMessage {
  id: string;
  /** The message before it; one that isn't there stands for none. */
  parent: string | null;
  /** Null for what nobody said: instructions, tools, reasoning. */
  role: 'person' | 'program' | null;
  text: string;
  /** In milliseconds; not a number where it isn't known. */
  at: number;
  model: string;
}

/** A conversation of an export, before anything of it is trusted. */
export interface ForeignConversation {
  program: PastProgram;
  id: string;
  title: string;
  /** In milliseconds; not a number where it isn't known. */
  at: number;
  archived: boolean;
  /** In the order of the export. */
  messages: PastMessage[];
  /** The message at the end of what was shown last. */
  current: string | null;
  /** Pictures and files, which exports name and don't contain as a part of the conversation. */
  attachments: number;
}

type Fields = Record<string, unknown>;
type ConversationFields = Omit<ForeignConversation, 'program'>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const idOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const recordsOf = (value: unknown): Fields[] => listOf(value).filter(isRecord);
/** An object's values, by the keys of the object. */
const entriesOf = (value: unknown): [string, Fields][] =>
  isRecord(value) ? Object.entries(value).filter((entry): entry is [string, Fields] => isRecord(entry[1])) : [];
const joined = (texts: string[]) => texts.filter((text) => text.trim() !== '').join('\n\n');

/** Seconds, milliseconds or a date in words, in milliseconds. */
function timeOf(value: unknown): number {
  if (typeof value === 'string') return Date.parse(value);
  if (typeof value !== 'number') return Number.NaN;
  // Seconds of the year 5138 are milliseconds of 1973.
  return Math.trunc(value < 100_000_000_000 ? value * 1_000 : value);
}

/** The texts among the parts of a message, as Claude, LibreChat and others write them. */
const partTexts = (parts: unknown): string[] =>
  recordsOf(parts).flatMap(({ type, text }) =>
    type !== 'text' ? [] : [isRecord(text) ? textOf(text.value) : textOf(text)],
  );

/** A part of a message of ChatGPT: words are its text, or what was spoken; anything else is an attachment. */
const wordsOfPart = (part: unknown): unknown =>
  isRecord(part) && part.content_type === 'audio_transcription' ? textOf(part.text) : part;

function readChatGpt(json: Fields): ConversationFields {
  let attachments = 0;
  const messages = entriesOf(json.mapping).map(([id, node]): PastMessage => {
    const message = isRecord(node.message) ? node.message : {};
    const [content, author, metadata] = [message.content, message.author, message.metadata].map((value) =>
      isRecord(value) ? value : {},
    );
    const parts = listOf(content?.parts).map(wordsOfPart);
    // Whatever isn't for the person goes to a tool; what is hidden was written by the program itself.
    const isHidden =
      metadata?.is_visually_hidden_from_conversation === true || (idOf(message.recipient) ?? 'all') !== 'all';
    const isTalk = content?.content_type === 'text' || content?.content_type === 'multimodal_text';
    const roles = { user: 'person', assistant: 'program' } as const;
    const role = author?.role === 'user' || author?.role === 'assistant' ? roles[author.role] : null;
    if (role !== null && isTalk) attachments += parts.filter(isRecord).length;
    return {
      id,
      parent: idOf(node.parent),
      role: isHidden || !isTalk ? null : role,
      text: joined(parts.map(textOf)),
      at: timeOf(message.create_time),
      model: textOf(metadata?.model_slug),
    };
  });
  return {
    id: idOf(json.conversation_id) ?? textOf(json.id),
    title: textOf(json.title),
    at: timeOf(json.create_time),
    archived: json.is_archived === true,
    messages,
    current: idOf(json.current_node),
    attachments,
  };
}

function readClaude(json: Fields): ConversationFields {
  const all = recordsOf(json.chat_messages);
  // Older exports don't say what a message follows: then each follows the one before it.
  const isTree = all.some((one) => one.parent_message_uuid !== undefined);
  let attachments = 0;
  let before: string | null = null;
  const messages = all.map((one, at): PastMessage => {
    const id = idOf(one.uuid) ?? `${at}`;
    const own = joined(partTexts(one.content)) || textOf(one.text);
    // A long text that was pasted stands beside the message.
    const pasted = recordsOf(one.attachments).map(({ extracted_content }) => textOf(extracted_content));
    attachments += pasted.filter((text) => text === '').length + listOf(one.files).length;
    const message: PastMessage = {
      id,
      parent: isTree ? idOf(one.parent_message_uuid) : before,
      role: one.sender === 'human' ? 'person' : one.sender === 'assistant' ? 'program' : null,
      text: joined([own, ...pasted]),
      at: timeOf(one.created_at),
      model: '',
    };
    before = id;
    return message;
  });
  return {
    id: textOf(json.uuid),
    title: textOf(json.name),
    at: timeOf(json.created_at),
    archived: false,
    messages,
    current: idOf(json.current_leaf_message_uuid),
    attachments,
  };
}

function readLibreChat(json: Fields): ConversationFields {
  const messages: PastMessage[] = [];
  let attachments = 0;
  // No recursion: the file decides how deep its messages are nested.
  const open = recordsOf(json.messagesTree ?? json.messages)
    .map((one) => ({ one, under: null as string | null }))
    .toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { one, under } = next;
    const id = idOf(one.messageId) ?? `${messages.length}`;
    attachments += listOf(one.files).length;
    messages.push({
      id,
      parent: under ?? idOf(one.parentMessageId),
      role: one.isCreatedByUser === true ? 'person' : one.isCreatedByUser === false ? 'program' : null,
      text: joined(partTexts(one.content)) || textOf(one.text),
      at: timeOf(one.createdAt),
      model: textOf(one.model),
    });
    for (const child of recordsOf(one.children).toReversed()) open.push({ one: child, under: id });
  }
  return {
    id: textOf(json.conversationId),
    title: textOf(json.title),
    at: Number.NaN,
    archived: false,
    messages,
    current: null,
    attachments,
  };
}

/** What a model thought and what its tools did, which Open WebUI writes into the answer. */
const ASIDE = /^<details type="(?:reasoning|tool_calls|code_interpreter)"/gm;
const ASIDE_END = '</details>';

function withoutAsides(text: string): string {
  let [kept, from] = ['', 0];
  for (const { index } of text.matchAll(ASIDE)) {
    if (index < from) continue;
    const end = text.indexOf(ASIDE_END, index);
    if (end === -1) break;
    kept += text.slice(from, index);
    from = end + ASIDE_END.length;
  }
  return kept + text.slice(from);
}

function readOpenWebUi(json: Fields): ConversationFields {
  const chat = isRecord(json.chat) ? json.chat : {};
  const history = isRecord(chat.history) ? chat.history : {};
  let attachments = 0;
  const messages = entriesOf(history.messages).map(([id, one]): PastMessage => {
    attachments += listOf(one.files).length;
    return {
      id,
      parent: idOf(one.parentId),
      role: one.role === 'user' ? 'person' : one.role === 'assistant' ? 'program' : null,
      text: one.role === 'assistant' ? withoutAsides(textOf(one.content)) : textOf(one.content),
      at: timeOf(one.timestamp),
      model: textOf(one.model),
    };
  });
  return {
    id: idOf(json.id) ?? textOf(chat.id),
    title: idOf(json.title) ?? textOf(chat.title),
    at: timeOf(json.created_at ?? chat.timestamp),
    archived: json.archived === true,
    messages,
    current: idOf(history.currentId),
    attachments,
  };
}

/** No program's ids are longer. They are hashed, which takes time and must be possible. */
const ID_CHARS = 200;
/** Stands in for an id that is missing; a session's name is shorter. */
const TITLE_CHARS = 1_000;

const isId = (id: string) => id.length <= ID_CHARS && id.isWellFormed();

const hasHistory = (chat: unknown) => isRecord(chat) && isRecord(chat.history);

/** How each program's conversations are known, and read. */
const PROGRAMS: [PastProgram, is: (json: Fields) => boolean, read: (json: Fields) => ConversationFields][] = [
  ['chatgpt', ({ mapping }) => isRecord(mapping), readChatGpt],
  ['claude', ({ chat_messages }) => Array.isArray(chat_messages), readClaude],
  ['open-webui', ({ chat }) => hasHistory(chat), readOpenWebUi],
  [
    'librechat',
    ({ conversationId, messages, messagesTree }) =>
      typeof conversationId === 'string' && (Array.isArray(messages) || Array.isArray(messagesTree)),
    readLibreChat,
  ],
];

/** A conversation as its program exported it; null for anything else, and where an id is none. */
export function readTalk(json: unknown): ForeignConversation | null {
  if (!isRecord(json)) return null;
  const [reader] = PROGRAMS.filter(([, is]) => is(json));
  if (reader === undefined) return null;
  const [program, , read] = reader;
  const talk = read(json);
  if (![talk, ...talk.messages].every(({ id }) => isId(id))) return null;
  return { program, ...talk, title: talk.title.slice(0, TITLE_CHARS).toWellFormed() };
}
