import type { AgentFileRow } from './files.table.ts';

/** Files with pictures of text take minutes and have a lane of their own, so that no other file waits for them. */
export const LANES = ['texts', 'pictures'] as const;
export type Lane = (typeof LANES)[number];

/** The queues that read the text of files, by lane. */
export const QUEUES: Record<Lane, string> = { texts: 'files.read', pictures: 'files.recognize' };
export const queueOf = ({ pictures }: AgentFileRow) => QUEUES[pictures ? 'pictures' : 'texts'];
