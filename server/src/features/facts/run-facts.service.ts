/** How many of an agent's facts a run may choose from, the newest first. */
export const FACTS_READ = 300;

/** What a run needs of a fact. */
export interface FactsForRun {
  id: string;
  text: string;
  about: string;
  pinned: boolean;
  state: 'current' | 'replaced' | 'forgotten';
  corrected: boolean;
  /** When it was stated or corrected. */
  timestamp: string;
  sessionId: string;
  sessionName: string;
  memoryId: string;
  /** The exchange that holds its words; null once the memory was edited. */
  exchange: string | null;
  /** The later fact that made it untrue. */
  replacedBy: string | null;
  /** Which sentence of `said` states it; null once the memory was edited. */
  sentence: number | null;
  /** The memory's text when the person has corrected or forgotten the fact; null otherwise. */
  said: string | null;
}

/** A fact in the database's JSON: a time in milliseconds. */
type PackedFact = Omit<FactsForRun, 'timestamp'> & { at: number };

/** What `atelier_known_facts` read, newest first. */
export const unpackFacts = (packed: PackedFact[] | null): FactsForRun[] =>
  (packed ?? []).map(({ at, ...fact }) => ({ ...fact, timestamp: new Date(at).toISOString() }));
