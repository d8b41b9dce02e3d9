/** Something that stands in a run's prompt, in words for the person. */
export interface Source {
  label: string;
  /** The server of tools that it came from; its own answers are no secret to it. */
  server?: string;
}

/**
 * What has entered the prompt of a run so far: what is private, and what others wrote. Where both are in, nothing leaves without
 * being asked for, for text of others can tell a model to send private things away.
 */
export interface Exposure {
  private: Source[];
  untrusted: Source[];
}

/** Where a call sends its input: to the host of a web page, or to a server of tools. */
export type Destination = { page: URL } | { server: string; label: string };

export const noExposure = (): Exposure => ({ private: [], untrusted: [] });

const has = (sources: Source[], { label, server }: Source) =>
  sources.some((known) => known.label === label && known.server === server);

/** Adds a source to the prompt: as `private`, as `untrusted`, or as both. */
export function expose(exposure: Exposure, source: Source, kinds: (keyof Exposure)[]): void {
  for (const kind of kinds) if (!has(exposure[kind], source)) exposure[kind].push(source);
}

/** What could be carried to a destination by whose words; null where what goes there needs no question. */
export function dangerOf(exposure: Exposure, to: Destination): { secrets: string[]; writers: string[] } | null {
  const secrets = exposure.private.filter(({ server }) => !('server' in to) || server !== to.server);
  if (secrets.length === 0 || exposure.untrusted.length === 0) return null;
  return { secrets: labelsOf(secrets), writers: labelsOf(exposure.untrusted) };
}

const labelsOf = (sources: Source[]) => [...new Set(sources.map(({ label }) => label))];
