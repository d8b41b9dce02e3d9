import { FREE_LIMITS } from '@atelier/contract/accounts';
import { formatAmount, PRO_PRICE } from '@atelier/contract/billing';
import { PRODUCT_NAME } from '@atelier/contract/product';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PublicPage } from '../features/accounts/public-page.tsx';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { AgentMark } from '../ui/agent-mark.tsx';
import { buttonClass } from '../ui/button.tsx';

export const meta = () => [
  { title: `${PRODUCT_NAME}: a workshop for AI agents that remember` },
  { name: 'description', content: 'Build AI agents, talk with them in sessions, and see what they remembered.' },
];

const steps = [
  {
    title: 'Create an Agent',
    text: 'Give it a name, a prompt that says how it works, a model and a temperature. It gets its own mark.',
  },
  {
    title: 'Chat & Iterate',
    text: 'Open a session, send a task, read the answer with the memory that shaped it. Change the prompt, try again.',
  },
  {
    title: 'Explore & Fork',
    text: 'Browse what others publish, and take a copy that is yours to change. Arrives in a later version.',
  },
];

const features = [
  {
    title: 'Persistent memory',
    text: 'What was said is kept, found again when it matters, and shown with its source beside every answer.',
  },
  {
    title: 'Session logs that name themselves',
    text: 'Every exchange stays readable. After the first one the session gets a title that says what it is about.',
  },
  {
    title: 'Pro when you need it',
    text: 'Start free, with clear limits. One payment lifts them for good; there is no subscription.',
  },
  {
    title: 'Yours to run',
    text: 'One command on your own machine. Without any key a built-in offline model answers, and says that it does.',
  },
];

const marks = ['field-notes', 'tax-helper', 'recipe-keeper', 'code-reviewer', 'travel-desk', 'tutor', 'archivist'];

export default function LandingPage() {
  return (
    <PublicPage>
      <Hero />
      <Section title="How It Works">
        <ol className="grid gap-4 md:grid-cols-3">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="rounded-lg border bg-surface p-6">
              <span className="font-mono text-muted text-sm">{index + 1}</span>
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
        <Pricing />
        <p className="mt-4 text-muted text-sm">
          The price is shown in US dollars. The amount will be converted to South African rand (ZAR) for the payment
          provider: exactly {formatAmount(PRO_PRICE.amount, PRO_PRICE.currency)}, once.
        </p>
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
    <section className="mx-auto w-full max-w-6xl px-5 pt-12 sm:px-8 sm:pt-20">
      <div className="flex h-10 flex-wrap gap-2 overflow-hidden" aria-hidden="true">
        {marks.map((id) => (
          <AgentMark key={id} id={id} size={40} />
        ))}
      </div>
      <h1 className="mt-8 max-w-3xl font-semibold text-5xl leading-[1.08] tracking-tight sm:text-6xl">
        A workshop for agents that remember
      </h1>
      <p className="mt-6 max-w-2xl text-muted text-xl leading-8">
        Build an agent, give it work, and see which of your earlier words it drew on. Nothing is recalled behind your
        back: each answer carries what was retrieved for it.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <Link to="/runtime" className={buttonClass('primary', 'md', 'px-6')}>
          Launch Runtime
        </Link>
        <Link to="/library" className={buttonClass('secondary', 'md', 'px-6')}>
          Upgrade Now
        </Link>
      </div>
    </section>
  );
}

const plans = [
  {
    name: 'Free',
    price: '0 USD',
    note: 'for as long as you like',
    lines: [
      `${FREE_LIMITS.sessions} sessions`,
      `${FREE_LIMITS.messages} messages and ${FREE_LIMITS.tasks} tasks in total`,
      'Memory within the session',
    ],
  },
  {
    name: 'Pro',
    price: '15 USD',
    note: 'once, for a lifetime',
    lines: [
      'Sessions, messages and tasks without limit',
      'Memory across all sessions of an agent',
      'Later versions: library, files, tools, publishing',
    ],
  },
];

function Pricing() {
  return (
    <ul className="grid gap-4 md:grid-cols-2">
      {plans.map(({ name, price, note, lines }) => (
        <li key={name} className="rounded-lg border bg-surface p-6">
          <h3 className="font-semibold text-xl">{name}</h3>
          <p className="mt-2 flex flex-wrap items-baseline gap-x-2">
            <span className="font-mono text-3xl">{price}</span>
            <span className="text-muted">{note}</span>
          </p>
          <ul className="mt-4 flex flex-col gap-1.5 border-t pt-4">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {name === 'Pro' && <UpgradeButton variant="secondary" className="mt-6" />}
        </li>
      ))}
    </ul>
  );
}
