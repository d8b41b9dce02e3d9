import { expect, it } from 'vitest';
import { MP3, WAV, wavOf } from '../../testing/sounds.ts';
import { measureSound, soundTokens } from './measure-sound.ts';

it('knows WAV and MP3 by their bytes, and about how long they are', () => {
  expect(measureSound(wavOf(10))).toMatchObject({ type: 'audio/wav', seconds: expect.closeTo(10, 1) });
  expect(measureSound(MP3)).toMatchObject({ type: 'audio/mpeg', seconds: expect.closeTo(1, 1) });
  expect(measureSound(Buffer.concat([Buffer.from('ID3'), MP3]))?.type).toBe('audio/mpeg');
  expect(soundTokens({ seconds: 10 })).toBe(320);
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['words', Buffer.from('ding')],
  ['a WAV that says nothing of its speed', Buffer.from(WAV).fill(0, 28, 32)],
  ['the beginning of a WAV', WAV.subarray(0, 20)],
  ['AAC', Buffer.of(0xff, 0xf1, 0x50, 0x80, 0x01)],
  ['Ogg', Buffer.from('OggS and more')],
])('takes no %s', (_what, bytes) => expect(measureSound(bytes)).toBeNull());
