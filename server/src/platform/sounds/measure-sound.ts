interface Sound {
  type: 'audio/wav' | 'audio/mpeg';
  /** At most; how long an MP3 is stands nowhere. */
  seconds: number;
}

/** An MP3 of speech has seldom fewer bytes a second. */
const MP3_BYTES_A_SECOND = 4_000;

/** The type and length of a sound by its bytes, not its name; null for anything but WAV and MP3, which all models that hear take. */
export function measureSound(bytes: Uint8Array): Sound | null {
  const { length } = bytes;
  const head = Buffer.from(bytes.subarray(0, 1_024));
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE') {
    const format = head.indexOf('fmt ');
    const perSecond = format >= 12 && format + 20 <= head.length ? head.readUInt32LE(format + 16) : 0;
    return perSecond === 0 ? null : { type: 'audio/wav', seconds: length / perSecond };
  }
  return isMp3(head) ? { type: 'audio/mpeg', seconds: length / MP3_BYTES_A_SECOND } : null;
}

/** It begins with tags or with a frame: eleven set bits, then the third layer. */
const isMp3 = (head: Buffer): boolean =>
  head.toString('latin1', 0, 3) === 'ID3' ||
  (head.length > 4 && head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2 && head.readUInt8(2) !== 0xff);

/** Gemini counts so many for a second, OpenAI fewer. */
const TOKENS_A_SECOND = 32;

/** About how many tokens a sound takes. */
export const soundTokens = ({ seconds }: Pick<Sound, 'seconds'>): number => Math.ceil(seconds * TOKENS_A_SECOND);
