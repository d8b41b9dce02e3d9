/** Taken from the running product by `npm run pictures`. */
const FILES = import.meta.glob<string>('../../pictures/*.avif', { eager: true, import: 'default' });
const PHONE = '(max-width: 639px)';

interface Shot {
  name: string;
  alt: string;
  width: number;
  height: number;
  /** What a phone shows instead. */
  phone?: { name: string; width: number; height: number };
}

/** The product in both colour schemes; the picture of the other one is not loaded. */
function Picture({ name, alt, width, height, phone }: Shot) {
  return (['light', 'dark'] as const).map((scheme) => (
    <picture key={scheme} className={scheme === 'light' ? 'dark:hidden' : 'hidden dark:block'}>
      {phone && <source media={PHONE} srcSet={fileOf(phone.name, scheme)} width={phone.width} height={phone.height} />}
      <img
        src={fileOf(name, scheme)}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        className="h-auto w-full rounded-lg border"
      />
    </picture>
  ));
}

const fileOf = (name: string, scheme: string) => FILES[`../../pictures/${name}-${scheme}.avif`];

/** Fetches the picture of the first screen before anything is laid out; who chose other colours than the system's waits for the image. */
export const preloadReceipt = () =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [
      { name: 'runtime-phone', width: PHONE },
      { name: 'runtime-desk', width: '(min-width: 640px)' },
    ].map(({ name, width }) => ({
      rel: 'preload',
      as: 'image',
      href: fileOf(name, scheme) ?? '',
      media: `${width} and (prefers-color-scheme: ${scheme})`,
      fetchPriority: 'high' as const,
    })),
  );

/** An answer with its receipt open: what the first screen shows. */
export function ReceiptPicture() {
  return (
    <figure className="mx-auto w-full max-w-96 sm:max-w-160">
      <Picture
        name="runtime-desk"
        alt="To “What is Nora allergic to?” the agent Trip Planner answers “My sister Nora is allergic to peanuts”. Below the answer, the memories it used are open, each with its source and with Correct, Pin, Forget and Ask again without this."
        width={1120}
        height={1050}
        phone={{ name: 'runtime-phone', width: 780, height: 1520 }}
      />
      <figcaption className="mt-3 text-muted text-sm">
        A real answer of the built-in offline model, with what it drew on.
      </figcaption>
    </figure>
  );
}

const CARD = { width: 735, height: 665 };
const shown = [
  {
    name: 'again',
    alt: 'The same question, asked again without one memory: version 2 of 2, and the agent found nothing about that.',
    title: 'Ask again without a memory',
    text: 'Wonder whether it mattered? Leave it out, and compare both answers.',
  },
  {
    name: 'facts',
    alt: 'Facts: “I moved to Faro last month”, and below it “I live in Porto”, struck through. Correct, Pin, Forget.',
    title: 'Read what it knows about you',
    text: 'Plain sentences, each with its source. What changed stands below what replaced it.',
  },
  {
    name: 'code',
    alt: 'Use this agent from code: a call by curl; TypeScript, Python and MCP beside it.',
    title: 'Take its memory elsewhere',
    text: 'Each agent answers OpenAI’s interface and is an MCP server. What you say there, it remembers here.',
  },
];

/** Three things that a memory in the open allows. */
export function Pictures() {
  return (
    <ul className="grid gap-x-6 gap-y-10 md:grid-cols-3">
      {shown.map(({ name, alt, title, text }) => (
        <li key={name}>
          <Picture name={name} alt={alt} {...CARD} />
          <h3 className="mt-4 font-semibold text-xl">{title}</h3>
          <p className="mt-1 text-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}
