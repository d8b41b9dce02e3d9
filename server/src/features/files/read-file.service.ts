import type { Deps } from '../../platform/deps.ts';
import { type Extracted, extractDocument } from '../../platform/extraction/extract.ts';
import { Unreadable } from '../../platform/extraction/unreadable.ts';
import type { AgentFileRow } from './files.table.ts';
import { isPicture, wordsOfName } from './picture-files.service.ts';
import { surely } from './purge-file.service.ts';
import type { Lane } from './reading-lanes.ts';
import { tellProgress } from './reading-progress.service.ts';
import { finishRead, GIVEN_UP, leaveToRecognition, putBack } from './reading-state.service.ts';
import { letGo } from './reading-turn.service.ts';
import { keepPassages } from './store-passages.service.ts';

/** How long all sentences about a file may be. */
const NOTE_MAX = 2_000;
/** A file is given up after this many readers died on it. */
const READINGS_MAX = 3;
/** A file that can't be opened for this long never will be. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;

/** How long a document may take, and one whose pictures of text are recognized. */
const READING_MS: Record<Lane, number> = { texts: 60_000, pictures: 10 * 60_000 };

/** Reads a stored file's text in a separate process and makes it searchable; a file that can't be read says why. */
export async function readFile(ctx: Deps, file: AgentFileRow): Promise<void> {
  if (file.readings > READINGS_MAX) return finishRead(ctx, file, { error: GIVEN_UP });
  const progress = tellProgress(ctx, file);
  try {
    const read = await extractDocument(file.kind, await ctx.storage.get(file.key), {
      size: file.size,
      timeoutMs: READING_MS[file.pictures ? 'pictures' : 'texts'],
      recognize: file.pictures ? 'now' : 'later',
      onProgress: progress.tell,
      onFailure: (reason) => ctx.log.info('files.reading_failed', { reason }),
    });
    if (read.pictures) return await leaveToRecognition(ctx, file);
    if (read.passages.length === 0) return await finishRead(ctx, file, { error: 'There is no text in this file.' });
    await keepPassages(ctx, file, read.passages, progress.tell);
    await progress.stored();
    await finishRead(ctx, file, { note: noteOf(read) });
  } catch (error) {
    if (error instanceof Unreadable) return await keepPicture(ctx, file, error.message);
    if (file.createdAt.getTime() < Date.now() - GIVE_UP_MS) return finishRead(ctx, file, { error: GIVEN_UP });
    await surely(ctx, () => putBack(ctx, file));
    throw error;
  } finally {
    await progress.stored();
    await surely(ctx, () => letGo(ctx, file));
  }
}

/** A picture without text is there for models that see, and found by its name; everything else that can't be read has failed. */
async function keepPicture(ctx: Deps, file: AgentFileRow, why: string): Promise<void> {
  const isShown = file.kind === 'picture' && (await isPicture(ctx, file));
  if (!isShown) return finishRead(ctx, file, { error: why });
  await keepPassages(ctx, file, [{ place: 'picture', text: wordsOfName(file.name) }], () => {});
  await finishRead(ctx, file, { note: `${why} Models that see look at it when a message is about its name.` });
}

function noteOf({ only, notes }: Pick<Extracted, 'only' | 'notes'>): string | null {
  const sentences = [...(only === null ? [] : [`Only the first ${only} were read.`]), ...notes];
  return sentences.length === 0 ? null : sentences.join(' ').slice(0, NOTE_MAX);
}
