/** An id that no other has. Over plain http a browser has no `crypto.randomUUID`. */
export const freshId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');
