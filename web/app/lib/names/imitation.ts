/** Of an agent whose name looks like an earlier one’s, before that name. */
export const IMITATION = 'Not by the author of the earlier';
