import { createServer } from 'node:http';
import { listen } from './listen.ts';

/** The service's answer; `silence` takes the request and never answers. */
export type EmailjsAnswer = { status: number; text: string; headers?: Record<string, string> } | 'silence' | 'cut';

/** A real HTTP server on loopback that speaks EmailJS's one call. */
export async function startFakeEmailjs(port = 0) {
  const requests: { path: string; body: ReturnType<typeof JSON.parse> }[] = [];
  const fine: EmailjsAnswer = { status: 200, text: 'OK' };
  let answerTo: (message: string) => EmailjsAnswer = () => fine;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    requests.push({ path: request.url ?? '', body });
    const answer = answerTo(body.template_params.message);
    if (answer === 'silence') return;
    if (answer === 'cut') return response.destroy();
    response.writeHead(answer.status, { 'content-type': 'text/plain', ...answer.headers }).end(answer.text);
  });
  const { origin: url, close } = await listen(server, port);
  return {
    url,
    requests,
    /** The environment of a server that uses this service. */
    env: {
      EMAILJS_BASE_URL: url,
      EMAILJS_SERVICE_ID: 'service_atelier',
      EMAILJS_TEMPLATE_ID: 'template_contact',
      EMAILJS_PUBLIC_KEY: 'pUbLicKeyOfEmailJs',
      EMAILJS_PRIVATE_KEY: 'pRiVaTeKeyOfEmailJs',
    },
    /** Sets the answer for every message, or for one. */
    answers(next: EmailjsAnswer, to?: string) {
      answerTo = (message) => (to === undefined || to === message ? next : fine);
    },
    reset() {
      answerTo = () => fine;
      requests.length = 0;
    },
    close,
  };
}
export type FakeEmailjs = Awaited<ReturnType<typeof startFakeEmailjs>>;
