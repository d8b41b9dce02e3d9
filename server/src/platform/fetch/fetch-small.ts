import type { GuardedFetch } from './guarded-fetch.ts';

/** Fetches a small file from an address that somebody else gave; null when it is larger than `maxBytes` or isn't there. Throws when unreachable. */
export async function fetchSmall(guarded: GuardedFetch, url: string, maxBytes: number): Promise<Buffer | null> {
  const { response, leadsTo } = await guarded.follow(url, { signal: AbortSignal.timeout(15_000) });
  if (leadsTo !== null || !response.ok || response.body === null) {
    await response.body?.cancel();
    return null;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    // Leaving the loop ends the transfer.
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
