import { PRODUCT_NAME } from '@atelier/contract/product';
import { ContactLink, LegalPage, type LegalSection } from '../features/accounts/legal-page.tsx';

export const meta = () => [{ title: `Terms · ${PRODUCT_NAME}` }];

const sections: LegalSection[] = [
  {
    title: 'Acceptance',
    body: (
      <p>By creating an account or using {PRODUCT_NAME} you accept these terms. If you don't, please don't use it.</p>
    ),
  },
  {
    title: 'Your obligations',
    body: (
      <p>
        Keep your password to yourself, use the service lawfully, and don't use it to harm others or to disturb its
        running. You are responsible for the agents that you build and for what you make public.
      </p>
    ),
  },
  {
    title: 'Subscription and payments',
    body: (
      <p>
        The free tier has limits on sessions, messages and tasks. Pro is a single, lifetime payment shown as 15 USD and
        charged in South African rand by a card payment provider. There is no recurring charge.
      </p>
    ),
  },
  {
    title: 'Termination',
    body: (
      <p>
        You may stop using the service at any time. Accounts that break these terms may be disabled. What this means for
        your data stands in the privacy text.
      </p>
    ),
  },
  {
    title: 'Disclaimers',
    body: (
      <p>
        The service is provided as it is. Agents can be wrong: check what matters before you act on it. To the extent
        the law allows, we are not liable for indirect damage.
      </p>
    ),
  },
  {
    title: 'Contact',
    body: (
      <p>
        Questions about these terms? Write to us through the <ContactLink />.
      </p>
    ),
  },
];

export default function TermsPage() {
  return <LegalPage title="Terms" sections={sections} />;
}
