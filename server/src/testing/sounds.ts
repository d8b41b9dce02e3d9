/** A tenth of a second of a tone, 8,000 bytes a second. */
export const WAV = wavOf(0.1);

/** A tone as a WAV of one channel, 8 bits, 8,000 Hz. */
export function wavOf(seconds: number): Buffer {
  const samples = Math.round(seconds * 8_000);
  // Sizes, then: PCM, one channel, samples and bytes a second, one byte of 8 bits a sample.
  const head = Buffer.from(
    'RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data....',
    'latin1',
  );
  head.writeUInt32LE(36 + samples, 4);
  head.writeUInt32LE(samples, 40);
  const tone = Buffer.from(Array.from({ length: samples }, (_, at) => 128 + Math.round(90 * Math.sin(at / 3))));
  return Buffer.concat([head, tone]);
}

/** Ten silent frames of an MP3: 128 kbit/s, 44,100 Hz. */
export const MP3 = Buffer.concat(
  Array.from({ length: 10 }, () => Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0xc4), Buffer.alloc(413)])),
);
