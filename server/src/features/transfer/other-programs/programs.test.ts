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

it('reads of Open WebUI’s answers what was said, without reasoning and tools', () => {
  const aside = (type: string, inside: string) => `<details type="${type}" done="true">\n${inside}\n</details>\n`;
  const answer = `${aside('reasoning', '> <details type="reasoning"')}It has ${aside('tool_calls', '')}
${aside('code_interpreter', '```python\n1\n```')}900 degrees.\n<details><summary>More</summary>Or 901.</details>`;
  const open = '<details type="reasoning" done="false">\n> Is it';
  const messages = {
    a: { role: 'user', content: aside('reasoning', 'I quote.') },
    b: { role: 'assistant', content: answer },
    c: { role: 'assistant', content: open },
  };
  expect(textsOf({ id: '1', chat: { history: { messages } } })).toEqual([
    aside('reasoning', 'I quote.'),
    `\nIt has ${aside('tool_calls', '')}\n\n900 degrees.\n<details><summary>More</summary>Or 901.</details>`,
    open,
  ]);
});
