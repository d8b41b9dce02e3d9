/** Room for the note that a picture is to be turned. */
const EXTRA = 64;

/** Collects what is kept of a picture, in one piece of memory: a hostile one has millions of parts. */
export function collect(picture: Buffer) {
  const output = Buffer.alloc(picture.length + EXTRA);
  let length = 0;
  return {
    add(...parts: readonly Uint8Array[]) {
      for (const part of parts) {
        output.set(part, length);
        length += part.length;
      }
    },
    all: () => output.subarray(0, length),
  };
}
