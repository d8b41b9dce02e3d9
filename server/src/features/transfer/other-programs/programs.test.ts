import { expect, it } from 'vitest';
import { chatGptTalk, madeTalk } from '../../../testing/past-exports.ts';
import { readTalk } from './programs.ts';

const textsOf = (json: unknown) => readTalk(json)?.messages.flatMap(({ text }) => (text === '' ? [] : text));

it('reads what was spoken to ChatGPT, and counts only the sound as an attachment', () => {
  const talk = chatGptTalk(madeTalk(['user', ''], ['assistant', '']));
  const spoken = (id: string, role: string, text: string) => {
    const transcript = { content_type: 'audio_transcription', text, direction: 'in' };
    const parts = [transcript, { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://1' }];
    return [id, { id, message: { author: { role }, content: { content_type: 'multimodal_text', parts } } }];
  };
  const said = [spoken('m0', 'user', 'How hot is it?'), spoken('m1', 'assistant', 'It has 900 degrees.')];
  const json = { ...talk, mapping: Object.fromEntries(said) };
  expect(textsOf(json)).toEqual(['How hot is it?', 'It has 900 degrees.']);
  expect(readTalk(json)?.attachments).toBe(2);
});
