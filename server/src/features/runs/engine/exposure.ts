/** Something in a run's prompt, in words for the person. */
export interface Source {
  label: string;
  /** The tool server it came from; sending a server its own answers reveals nothing. */
  server?: string;
}

/**
 * What has entered a run's prompt: private data, and other people's words. When both are in, nothing leaves without asking, because such
 * words can tell a model to send private data away.
 */
export interface Exposure {
  /** Beside the message and the agent's prompt, which are private in every run. */
  private: Source[];
  untrusted: Source[];
  /** The addresses in the pages that were read, by the site of the page. */
  links: Map<string, Set<string>>;
}

/** Where a call sends its input: to a web page's host, or to a tool server. */
export type Destination = { page: URL } | { server: string; label: string };

const OWN_WORDS: Source = { label: 'your message and the prompt of this agent' };

export const noExposure = (): Exposure => ({ private: [], untrusted: [], links: new Map() });

const has = (sources: Source[], { label, server }: Source) =>
  sources.some((known) => known.label === label && known.server === server);

/** Records a source as `private`, as `untrusted`, or as both. */
export function expose(exposure: Exposure, source: Source, kinds: ('private' | 'untrusted')[]): void {
  for (const kind of kinds) if (!has(exposure[kind], source)) exposure[kind].push(source);
}

/**
 * Which private data could go to a destination because of whose words; null when sending there is safe. A tool server may get words of the
 * message and the prompt while only its own answers were read: what it wants of them, its description says, which was approved.
 */
export function dangerOf(exposure: Exposure, to: Destination): { secrets: string[]; writers: string[] } | null {
  const isOther = ({ server }: Source) => !('server' in to) || server !== to.server;
  const ownWords = exposure.untrusted.some(isOther) ? [OWN_WORDS] : [];
  const secrets = [...ownWords, ...exposure.private.filter(isOther)];
  if (secrets.length === 0 || exposure.untrusted.length === 0) return null;
  return { secrets: labelsOf(secrets), writers: labelsOf(exposure.untrusted) };
}

const labelsOf = (sources: Source[]) => [...new Set(sources.map(({ label }) => label))];
