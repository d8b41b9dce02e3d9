import type { Writer } from './writer.ts';

/** A live stream, as a browser opens it; counts its events. */
export async function openStream(writer: Writer) {
  const controller = new AbortController();
  const answer = await fetch(`${writer.url}/api/live`, {
    headers: { cookie: writer.cookie },
    signal: controller.signal,
  });
  let text = '';
  const read = async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  const over = read().catch(() => {});
  return {
    status: answer.status,
    hears: (words: string) => text.includes(words),
    hellos: () => text.split('event: hello').length - 1,
    async close() {
      controller.abort();
      await over;
    },
  };
}
