import { PRODUCT_NAME } from '@atelier/contract/product';
import { ContactLink, LegalPage, type LegalSection, TextLink } from '../features/accounts/legal-page.tsx';
import { pageMeta } from '../lib/page-meta.ts';

export const meta = () =>
  pageMeta(
    'Privacy',
    `What ${PRODUCT_NAME} stores about you, where, for how long, and how to take it with you.`,
    '/privacy',
  );

const sections: LegalSection[] = [
  {
    title: 'Data we collect',
    body: (
      <>
        <ul className="list-disc pl-6">
          <li>Your account’s email address and display name, and your password as a hash that can’t be read back.</li>
          <li>Your sign-ins: when, with which browser, and from which network address.</li>
          <li>
            For 90 days, what concerned the safety of your account: when, with which browser, and the first part of the
            network address. The server’s log has the same, by the account’s number.
          </li>
          <li>Usage counts: how many messages, sessions and tasks you have used.</li>
          <li>
            What you make here: agents, sessions, what you wrote and what was answered, what agents remember of it, the
            files you upload, and your favorites.
          </li>
          <li>
            Payment metadata, if you buy Pro: reference, amount, state and time. Card details go to the payment provider
            and never reach us.
          </li>
          <li>What you send through the contact page, and the address you give for the answer.</li>
        </ul>
        <p>
          One cookie keeps you signed in. Another marks for a year that you have signed in on this device, so that
          nobody else can lock you out by guessing your password. Your browser also remembers the colour scheme, that
          you are signed in, unsent drafts, and a payment that is still being reported; none of that is sent to anybody
          but us. There is no tracking and no advertising, and no page loads anything from elsewhere, except the payment
          provider’s form once you choose to pay.
        </p>
      </>
    ),
  },
  {
    title: 'How we use it',
    body: (
      <p>
        To run the service and for nothing else: to sign you in, to answer you, to let your agents remember, to apply
        your plan, to keep attackers out, and to reply to you. We don’t train models with it.
      </p>
    ),
  },
  {
    title: 'Sharing',
    body: (
      <ul className="list-disc pl-6">
        <li>The backend platform on which this installation runs stores the data.</li>
        <li>The payment provider (Paystack) gets your email address and what you buy, when you pay.</li>
        <li>
          Where a model provider is connected, it gets what an answer needs: the agent’s prompt, your message, what was
          remembered for it, and the texts to be found by meaning. For Pro accounts it also gets your own sentences once
          more, to find lasting facts in them; you can switch that off on the memory page. The built-in offline model
          sends nothing anywhere.
        </li>
        <li>Where a mail service is connected, it carries your contact message to us.</li>
        <li>Nobody else gets anything. Your data is not sold.</li>
        <li>Every user sees what you publish, with your display name, never with your email address.</li>
      </ul>
    ),
  },
  {
    title: 'Retention',
    body: (
      <>
        <p>
          We keep your data as long as your account exists, in the installation’s own database and file storage. You can
          undo deleting a session for a few seconds; after that it is gone, with its exchanges and memories. A forgotten
          memory loses its text at once.
        </p>
        <p>
          Messages that you send us without being signed in are kept until we have dealt with them. Daily backups hold
          deleted data for up to 14 days. When a backup is restored, what was deleted since is deleted again before
          anybody can see it; only the numbers of what was deleted are kept for that, for 90 days.
        </p>
      </>
    ),
  },
  {
    title: 'Your rights',
    body: (
      <>
        <p>
          You can do the most important things yourself, on the <TextLink to="/account">account page</TextLink>:
        </p>
        <ul className="list-disc pl-6">
          <li>“Export everything” gives you everything stored for your account as one archive.</li>
          <li>
            “Delete account” asks for your password and deletes all of your data, files and pending jobs, immediately
            and permanently. What others copied from your public agents stays theirs.
          </li>
          <li>On the memory page you see, correct and forget what agents remember.</li>
        </ul>
        <p>You may also ask us to see, correct, hand over or delete your data, and object to how it is used.</p>
      </>
    ),
  },
  {
    title: 'Contact',
    body: (
      <p>
        Questions about your data? Write to us through the <ContactLink />. You will get a reply within 24 hours.
      </p>
    ),
  },
];

export default function PrivacyPage() {
  return <LegalPage title="Privacy" sections={sections} />;
}
