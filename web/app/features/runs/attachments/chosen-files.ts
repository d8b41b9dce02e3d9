import { CHOSEN_FILES } from '../../../lib/typed/typed.ts';
import { KEPT_MS } from '../../../lib/typed/visits.ts';

/** All files together, in bytes: what is beyond is kept as long as the page only. */
const KEPT_BYTES = 64 * 1024 * 1024;
const STORE = 'files';

interface Chosen {
  file: Blob;
  name: string;
  /** When it was chosen, in milliseconds since 1970. */
  at: number;
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Runs `act` on the database, which is open only meanwhile: nothing holds it up when it is to be deleted. */
async function withFiles<T>(act: (files: IDBObjectStore) => Promise<T>): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(CHOSEN_FILES);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await done(opening);
    try {
      return await act(database.transaction(STORE, 'readwrite').objectStore(STORE));
    } finally {
      database.close();
    }
  } catch {
    // Full or forbidden: the page itself still has the file.
    return undefined;
  }
}

/** Keeps a file that is not uploaded yet in the browser, in case the page goes away before; at most `KEPT_BYTES` together. */
export const keepFile = (id: string, file: File): Promise<void | undefined> =>
  withFiles(async (files) => {
    const [names, kept] = [await done(files.getAllKeys()), (await done(files.getAll())) as Chosen[]];
    const isOld = ({ at }: Chosen) => at + KEPT_MS <= Date.now();
    for (const [at, one] of kept.entries()) if (isOld(one)) files.delete(names[at] ?? '');
    const bytes = kept.reduce((sum, one) => sum + (isOld(one) ? 0 : one.file.size), 0);
    const chosen: Chosen = { file, name: file.name, at: Date.now() };
    if (bytes + file.size <= KEPT_BYTES) await done(files.put(chosen, id));
  });

/** The file, if it was kept. */
export const readFile = (id: string): Promise<File | undefined> =>
  withFiles(async (files) => {
    const found = (await done(files.get(id))) as Chosen | undefined;
    return found && new File([found.file], found.name, { type: found.file.type });
  });

/** The file is uploaded, or not wanted any more. */
export const dropFile = (id: string): Promise<void | undefined> =>
  withFiles(async (files) => void (await done(files.delete(id))));
