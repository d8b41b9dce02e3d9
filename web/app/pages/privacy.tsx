import { PRODUCT_NAME } from '@atelier/contract/product';
import { ContactLink, LegalPage, type LegalSection } from '../features/accounts/legal-page.tsx';

export const meta = () => [{ title: `Privacy · ${PRODUCT_NAME}` }];

const sections: LegalSection[] = [
  {
    title: 'Data we collect',
    body: (
      <ul className="list-disc pl-6">
        <li>Your account's email address and display name.</li>
        <li>How many messages, sessions and tasks you have used.</li>
        <li>Payment metadata, if you buy Pro. Card numbers never reach us.</li>
        <li>The agents you build, what you write to them, and what they remember of it.</li>
      </ul>
    ),
  },
  {
    title: 'How we use it',
    body: <p>To run the service: to sign you in, to answer you, to let agents remember, and to apply your plan.</p>,
  },
  {
    title: 'Sharing',
    body: (
      <p>
        Your data is handled by the platform that runs the service and, when you pay, by the payment provider. Where the
        operator has connected a model provider, your messages are sent to it so that it can answer. We don't sell data.
      </p>
    ),
  },
  { title: 'Retention', body: <p>We keep your data for as long as your account exists.</p> },
  {
    title: 'Your rights',
    body: <p>You may ask to see your data, to have it corrected, to receive a copy of it, and to have it deleted.</p>,
  },
  {
    title: 'Contact',
    body: (
      <p>
        Questions about your data? Write to us through the <ContactLink />.
      </p>
    ),
  },
];

export default function PrivacyPage() {
  return <LegalPage title="Privacy" sections={sections} />;
}
