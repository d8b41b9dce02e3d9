import type { ReactNode } from 'react';
import { PublicPage } from '../features/accounts/public-page.tsx';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { Pricing } from '../features/landing/pricing.tsx';
import { Pictures, preloadReceipt, ReceiptPicture } from '../features/landing/product-picture.tsx';
import { pageMeta } from '../lib/page-meta.ts';
import { AgentMark } from '../ui/agent-mark.tsx';
import { ButtonLink } from '../ui/button-link.tsx';

export const meta = () =>
  pageMeta('', 'Build AI agents, talk with them in sessions, and see with every answer what they remembered.', '/');

export const links = preloadReceipt;

const steps = [
  {
    title: 'Create an Agent',
    text: 'Give it a name, a prompt that says how it works, a model and a temperature. It gets a mark of its own.',
  },
  {
    title: 'Chat & Iterate',
    text: 'Open a session, send a task, and read the answer with the memory that shaped it. Change the prompt, try again.',
  },
  {
    title: 'Explore & Fork',
    text: 'Browse what others publish, try it, and take a copy that is yours to change. It can follow the original later.',
  },
];

const features = [
  {
    title: 'Persistent memory',
    text: 'What was said is kept and found again by words and by meaning (embeddings), then shown with its source beside every answer. You can correct it, pin it, or forget it.',
  },
  {
    title: 'Session logs that name themselves',
    text: 'Every exchange stays readable. After the first one the session gets a title that says what it is about; long ones are summarised in the background.',
  },
  {
    title: 'Tools and files',
    text: 'Give an agent tools, which ask before they change anything, and files, which it reads and quotes by page.',
  },
  {
    title: 'Pro access, paid once',
    text: 'Start free, with a fixed number of messages. One payment lifts the limits for good; there is no subscription.',
  },
  {
    title: 'Nothing lost',
    text: 'Close the page in the middle of an answer: it goes on, and is there when you come back. Stop means stop.',
  },
  {
    title: 'Yours to run, yours to take',
    text: 'One command on your own machine, a built-in model without any key. Export everything, or delete everything, whenever you like.',
  },
];

const marks = ['field-notes', 'tax-helper', 'recipe-keeper', 'code-reviewer', 'travel-desk', 'tutor', 'archivist'];

export default function LandingPage() {
  return (
    <PublicPage>
      <Hero />
      <Section title="A memory you can see">
        <Pictures />
      </Section>
      <Section title="How It Works">
        <ol className="grid gap-4 md:grid-cols-3">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="rounded-lg border bg-surface p-6">
              <span className="text-muted text-sm tabular-nums">{index + 1}</span>
              <h3 className="mt-2 font-semibold text-xl">{title}</h3>
              <p className="mt-2 text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Section title="Features">
        <dl className="grid gap-x-12 gap-y-8 md:grid-cols-2">
          {features.map(({ title, text }) => (
            <div key={title} className="border-t pt-4">
              <dt className="font-semibold text-xl">{title}</dt>
              <dd className="mt-1 text-lg text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="Pricing">
        <Pricing upgrade={<UpgradeButton variant="secondary" className="pro:hidden" />} />
      </Section>
    </PublicPage>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mx-auto mt-20 w-full max-w-6xl px-5 sm:px-8">
      <h2 className="mb-6 font-semibold text-3xl tracking-tight">{title}</h2>
      {children}
    </section>
  );
}

function Hero() {
  return (
    <section className="mx-auto grid w-full max-w-6xl items-center gap-x-12 gap-y-10 px-5 pt-4 sm:px-8 lg:grid-cols-2 lg:pt-8">
      <div>
        <div className="flex h-10 flex-wrap gap-2 overflow-hidden" aria-hidden="true">
          {marks.map((id) => (
            <AgentMark key={id} id={id} size={40} />
          ))}
        </div>
        <h1 className="mt-6 max-w-3xl font-semibold text-4xl leading-[1.08] tracking-tight sm:text-6xl">
          A workshop for agents that remember
        </h1>
        <p className="mt-5 max-w-2xl text-lg text-muted sm:text-xl sm:leading-8">
          Build an agent, give it work, and see which of your earlier words it drew on. Nothing is recalled behind your
          back: each answer carries what was retrieved for it.
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <ButtonLink to="/runtime" variant="primary" className="px-6">
            Launch Runtime
          </ButtonLink>
          <ButtonLink to="/library" className="px-6 pro:hidden">
            Upgrade Now
          </ButtonLink>
        </div>
      </div>
      <ReceiptPicture />
    </section>
  );
}
