/** Where a sentence comes from, as the answer will name it. */
export interface Source {
  by: 'person' | 'agent' | 'file' | 'prompt' | 'fact';
  sameSession: boolean;
  sessionName: string;
  timestamp: string;
}

export interface Sentence {
  text: string;
  source: Source;
  /** Larger is newer. */
  order: number;
  /** The memory's score, 0 to 1. */
  recall: number;
}
