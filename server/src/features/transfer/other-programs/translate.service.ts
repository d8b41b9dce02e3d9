import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { DEFAULT_MODEL, NEW_AGENT } from '@atelier/contract/agents';
import { agentFileOf } from '@atelier/contract/agents/agent-file';
import {
  ACCOUNT_ARCHIVE_FORMAT,
  ACCOUNT_ARCHIVE_VERSION,
  IMPORT_SENTENCES,
  type PastProgram,
} from '@atelier/contract/transfer/imports';
import { PAST_LIMITS, PAST_SENTENCES, PROGRAM_NAMES } from '@atelier/contract/transfer/past';
import type { Caller } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Received } from '../../../platform/http/upload.ts';
import { parsedJson } from '../../../platform/parsed-json.ts';
import { newIncoming } from '../../../platform/storage/storage.ts';
import { BadZip } from '../../../platform/zip/zip-file.ts';
import { type ZipEntry, zipStream } from '../../../platform/zip/zip-stream.ts';
import { offersModel } from '../../agents/agents.service.ts';
import { readFactSettings } from '../../facts/facts.service.ts';
import { treeOf } from './exchanges.ts';
import { type ExportParts, elementsOf, openExport, openRowsFile, type RowsFile } from './export-files.ts';
import { Omissions } from './omissions.ts';
import type { ListedConversation, ListedFact } from './past.table.ts';
import { agentOf, exchangeRows, listConversation, sessionIdOf, sessionRowOf } from './past-rows.ts';
import { type ForeignConversation, readTalk } from './programs.ts';
import { currentProposals, factRowOf, newestProposals, type Proposal, proposalsIn } from './propose-facts.ts';

const EARLIEST = Date.UTC(2000, 0, 1);
/** A long conversation has some milliseconds of its own for each message, and none may be in the future. */
const MARGIN_MS = 60 * 60 * 1000;
/** Everybody else's requests have their turn after so many exchanges. */
const TURN = 100;
/** How many facts wait to be compared. */
const PROPOSALS = 10_000;
const FILES = ['sessions', 'exchanges', 'branches', 'memories', 'facts'] as const;

/** An export of another program as an archive of this one, on disk until it is removed. */
export interface TranslatedExport {
  path: string;
  size: number;
  program: PastProgram;
  /** Newest first. */
  conversations: ListedConversation[];
  facts: ListedFact[];
  notes: string[];
  remove: () => Promise<void>;
}

const refused = (sentence: string) => new AppError('invalid_input', sentence, { field: 'file' });

/**
 * Makes an archive of this product of an export of another program, so that it is imported like any other; null for a file that is no such
 * export. Throws a sentence for the person.
 */
export async function translateExport(ctx: Deps, caller: Caller, received: Received): Promise<TranslatedExport | null> {
  const parts = await openExport(received).catch(asRefusal);
  if (parts === null) return null;
  const paths = await Promise.all(FILES.map(() => newIncoming(ctx.config)));
  const files = paths.map(openRowsFile);
  try {
    const { distil, installation } = await readFactSettings(ctx, caller);
    const translator = new Translator(files, distil && installation !== 'off');
    await translator.read(parts).catch(asRefusal);
    const { program } = translator;
    const isEmpty = translator.conversations.length === 0;
    if (program === null && !translator.leftOut.has('tooLong')) {
      if (parts.isZip) return null;
      throw refused(PAST_SENTENCES.unknown);
    }
    if (program === null || isEmpty) throw refused(PAST_SENTENCES.empty);
    const lists = await translator.end(program);
    const path = await newIncoming(ctx.config);
    const remove = () => rm(path, { force: true });
    const model = offersModel(ctx, DEFAULT_MODEL) ? DEFAULT_MODEL : (ctx.models.standIn() ?? DEFAULT_MODEL);
    try {
      const zip = zipStream(entriesOf(program, model, lists.conversations, files));
      await pipeline(Readable.from(zip), createWriteStream(path, { mode: 0o600 }));
      return { path, program, ...lists, size: (await stat(path)).size, notes: translator.leftOut.notes(), remove };
    } catch (error) {
      await remove();
      throw error;
    }
  } finally {
    parts.close();
    await Promise.all(files.map((file) => file.remove()));
  }
}

function asRefusal(error: unknown): never {
  if (!(error instanceof BadZip)) throw error;
  throw refused(error.reason === 'too large' ? IMPORT_SENTENCES.tooMuch : IMPORT_SENTENCES.damaged);
}

/** Reads an export conversation by conversation; only what the person chooses from stays in memory. */
class Translator {
  program: PastProgram | null = null;
  readonly conversations: ListedConversation[] = [];
  readonly leftOut = new Omissions();
  readonly #files: RowsFile[];
  readonly #findsFacts: boolean;
  readonly #archived = new Set<string>();
  readonly #sessions = new Set<string>();
  #proposals: Proposal[] = [];
  readonly #names = new Set<string>();
  readonly #range = { earliest: EARLIEST, latest: Date.now() - MARGIN_MS };
  #messages = 0;

  constructor(files: RowsFile[], findsFacts: boolean) {
    this.#files = files;
    this.#findsFacts = findsFacts;
  }

  async read({ parts }: ExportParts): Promise<void> {
    for (const part of parts) {
      for await (const element of elementsOf(part)) {
        const talk = element === null ? null : readTalk(parsedJson(element));
        if (element === null) this.leftOut.add('tooLong');
        else if (talk === null || talk.program !== (this.program ?? talk.program)) this.leftOut.add('unknown');
        else await this.#translate(talk);
        await setImmediate();
      }
    }
  }

  async #translate(talk: ForeignConversation): Promise<void> {
    const { program } = talk;
    this.program = program;
    this.#messages += talk.messages.length;
    const tree = treeOf(talk, this.#range);
    const isAgain = this.#sessions.has(sessionIdOf(talk));
    if (this.#messages > PAST_LIMITS.messages) throw refused(PAST_SENTENCES.tooMany);
    if (tree === null) return this.leftOut.add('tooLong');
    if (tree.exchanges.length === 0) return this.leftOut.add('empty');
    if (isAgain) return this.leftOut.add('repeated');
    if (this.conversations.length === PAST_LIMITS.conversations) throw refused(PAST_SENTENCES.tooMany);
    const listed = { ...listConversation(talk, tree), memories: 0 };
    this.#sessions.add(listed.sessionId);
    if (talk.archived) this.#archived.add(listed.sessionId);
    this.leftOut.add('messages', tree.repeated + tree.circular);
    this.leftOut.add('shortened', tree.shortened);
    this.leftOut.add('attachments', talk.attachments);
    this.conversations.push(listed);
    const [, exchanges, branches, memories] = this.#files;
    let written = 0;
    for (const rows of exchangeRows(program, listed.sessionId, tree.exchanges)) {
      await exchanges?.add(rows.exchange);
      await branches?.add(rows.branch);
      for (const memory of rows.memories) await memories?.add(memory);
      listed.memories += rows.memories.length;
      if (this.#findsFacts && rows.branch.onPath) this.#propose(rows.memories);
      written += 1;
      if (written % TURN === 0) await setImmediate();
    }
  }

  #propose(memories: Parameters<typeof proposalsIn>[0]): void {
    for (const proposal of proposalsIn(memories, [...this.#names])) {
      this.#proposals.push(proposal);
      if (this.#names.size < PAST_LIMITS.facts) this.#names.add(proposal.about);
    }
    if (this.#proposals.length > PROPOSALS) this.#proposals = newestProposals(this.#proposals);
  }

  /** Writes what had to wait for the last conversation, and returns what the person chooses from. */
  async end(program: PastProgram): Promise<{ conversations: ListedConversation[]; facts: ListedFact[] }> {
    const [sessions, , , , facts] = this.#files;
    // A free account gets the newest of those that it chooses.
    const conversations = this.conversations.toSorted((a, b) => b.to.localeCompare(a.to));
    for (const one of conversations) await sessions?.add(sessionRowOf(program, one, this.#archived.has(one.sessionId)));
    const places = new Map(conversations.map(({ sessionId }, place) => [sessionId, place]));
    const listed: ListedFact[] = [];
    for (const proposal of currentProposals(this.#proposals)) {
      await facts?.add(factRowOf(agentOf(program), proposal));
      const { id, text, about, words: sentence, createdAt: timestamp } = proposal;
      listed.push({ id, text, about, sentence, timestamp, conversation: places.get(proposal.sessionId) ?? 0 });
    }
    return { conversations, facts: listed };
  }
}

/** The files of the archive, as `exportAccount` writes them. */
async function* entriesOf(
  program: PastProgram,
  model: string,
  [newest]: ListedConversation[],
  files: RowsFile[],
): AsyncGenerator<ZipEntry> {
  const json = (path: string, value: object) => ({ path, content: new TextEncoder().encode(JSON.stringify(value)) });
  const version = { format: ACCOUNT_ARCHIVE_FORMAT, version: ACCOUNT_ARCHIVE_VERSION };
  yield json('archive.json', { ...version, madeAt: newest?.to ?? new Date().toISOString() });
  const name = PROGRAM_NAMES[program];
  const settings = { ...NEW_AGENT, name, model, prompt: 'You are a helpful assistant.' };
  const description = `Goes on with your conversations from ${name}.`;
  yield json(`agents/${agentOf(program)}-${program}.agent.json`, agentFileOf({ ...settings, description }));
  for (const [n, file] of files.entries()) yield { path: `${FILES[n]}.json`, content: await file.end() };
}
