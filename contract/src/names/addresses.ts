/** Marks that end an address where no space does: no address has them as people write it. */
const MARKS = '[«»“”…—،؛؟۔।॥、。〈-】〔-〟！-／：-＠［-｀｛-､]';

export const ADDRESS_END = new RegExp(MARKS, 'u');

/** Where to split a text so that an address stands alone: around these marks, and before one that follows a script without spaces. */
export const ADDRESS_EDGE = new RegExp(`(?=${MARKS})|(?<=${MARKS})|(?<=[\\p{Lo}\\p{M}])(?=https?://)`, 'iu');
