import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.ts';
import { listen } from './listen.ts';

/** A received mail as a mail program shows it, and the first link with a token. */
export interface ReceivedMail {
  /** The whole message as it came. */
  raw: string;
  header: (name: string) => string;
  to: string;
  subject: string;
  text: string;
  html: string;
  link: string;
  token: string;
}

type Mood = 'accept' | 'later' | 'refuse' | 'hold';

/** A real SMTP server on loopback that takes mail, well or badly; wants a user and a password. */
export async function startFakeSmtp(login = { user: 'atelier', pass: 'p@ss/word' }, port = 0) {
  const mails: ReceivedMail[] = [];
  let mood: Mood = 'accept';
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password }, _session, done) => {
      if (username === login.user && password === login.pass) return done(null, { user: username });
      return done(new Error('Invalid username or password'));
    },
    onData: async (stream, _session, done) => {
      const raw = await text(stream);
      if (mood === 'later') return done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
      if (mood === 'refuse') return done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
      mails.push(await received(raw));
      // `hold`: the message is there, and the sender never hears of it.
      if (mood !== 'hold') done();
    },
  });
  server.on('error', () => {});
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const address = server.server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port: taken,
    url: `smtp://${login.user}:${encodeURIComponent(login.pass)}@127.0.0.1:${taken}`,
    mails,
    behave(next: Mood) {
      mood = next;
    },
    reset() {
      mood = 'accept';
      mails.length = 0;
    },
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

export type FakeSmtp = Awaited<ReturnType<typeof startFakeSmtp>>;

async function received(raw: string): Promise<ReceivedMail> {
  const { headers, text: plain = '', html = '' } = await PostalMime.parse(raw);
  const header = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  const [link = '', token = ''] = /http\S+#([\w-]{43})/u.exec(plain) ?? [];
  return { raw, header, to: header('to'), subject: header('subject'), text: plain, html, link, token };
}

/** The mails that have come to an address, oldest first. */
export const mailsTo = ({ mails }: FakeSmtp, address: string) => mails.filter(({ to }) => to === address);

/** The token of the link to a page in a mail to an address, once it has come. */
export const mailedToken = (smtp: FakeSmtp, address: string, page: string): Promise<string> =>
  eventually(() => {
    const mail = mailsTo(smtp, address).find(({ text: words }) => words.includes(page));
    if (mail === undefined) throw new Error(`no mail to ${address} names ${page}`);
    return mail.token;
  });

/** A server that takes connections and never says a word: each side of another protocol waits for the other. */
export const startSilence = () => listen(createServer());
