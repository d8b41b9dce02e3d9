import { FREE_LIMITS } from '@atelier/contract/accounts';
import { formatAmount, PRO_PRICE } from '@atelier/contract/billing';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { ContactLink, LegalPage, type LegalSection, TextLink } from '../features/accounts/legal-page.tsx';
import { PUBLISHED } from '../lib/agent-labels.ts';
import { pageMeta } from '../lib/page-meta.ts';

export const meta = () => pageMeta('Terms', `The terms under which ${PRODUCT_NAME} may be used.`, '/terms');

const sections: LegalSection[] = [
  {
    title: 'Acceptance',
    body: (
      <p>
        By creating an account or using {PRODUCT_NAME} you accept these terms. If you don’t accept them, please don’t
        use it. “We” are the people who run this installation; the <ContactLink /> reaches them.
      </p>
    ),
  },
  {
    title: 'User obligations',
    body: (
      <ul className="list-disc pl-6">
        <li>Use your own email address, and keep your password to yourself.</li>
        <li>Use the service lawfully; don’t harm others with it, and don’t disrupt it or work around its limits.</li>
        <li>
          Write and upload only what you have the right to. It stays yours; you let us store and process it to serve
          you.
        </li>
        <li>
          You are responsible for your agents and for what you publish. A published agent shows its {PUBLISHED}, and
          your display name, to every user, and they may copy it; a copy stays after you withdraw the original.
        </li>
      </ul>
    ),
  },
  {
    title: 'Subscription and payments',
    body: (
      <>
        <p>
          The free plan holds {FREE_LIMITS.sessions} sessions, {FREE_LIMITS.messages} messages and {FREE_LIMITS.tasks}{' '}
          tasks in total. Pro lifts these limits and opens the library, full memory, search, tools, files and
          publishing.
        </p>
        <p>
          Pro is one payment for the lifetime of your account and of this installation, not a subscription: shown as{' '}
          {PRO_PRICE.usd} USD, charged as {formatAmount(PRO_PRICE.amount, PRO_PRICE.currency)} by a card payment
          provider. Your plan changes once the provider has confirmed the payment to us. Should you be charged twice,
          the second payment is given back. For refunds write to us through the <ContactLink />.
        </p>
      </>
    ),
  },
  {
    title: 'Termination',
    body: (
      <p>
        You may end this at any time: the <TextLink to="/account">account page</TextLink> exports everything and deletes
        your account with all its data, immediately and permanently, and Pro with it. We may disable an account that
        breaks these terms, and say why where we may.
      </p>
    ),
  },
  {
    title: 'Disclaimers',
    body: (
      <p>
        The service is provided as it is. Answers come from language models and can be wrong, incomplete or outdated:
        check what matters before you act on it, and don’t take it for medical, legal or financial advice. To the extent
        the law allows, we are not liable for indirect damage, and in total for no more than you paid us.
      </p>
    ),
  },
  {
    title: 'Contact',
    body: (
      <p>
        Questions about these terms? Write to us through the <ContactLink />. You will get a reply within 24 hours.
      </p>
    ),
  },
];

export default function TermsPage() {
  return <LegalPage title="Terms" sections={sections} />;
}
