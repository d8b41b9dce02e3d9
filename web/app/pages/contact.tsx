import { PublicPage } from '../features/accounts/public-page.tsx';
import { ContactForm } from '../features/contact/contact-form.tsx';
import { pageMeta } from '../lib/page-meta.ts';

export const meta = () =>
  pageMeta('Contact', 'Write to the people who run this workshop. You will get a reply within 24 hours.', '/contact');

export default function ContactPage() {
  return (
    <PublicPage>
      <div className="mx-auto flex w-full max-w-[72ch] flex-col gap-6 px-5 py-10 sm:px-8">
        <div>
          <h1 className="font-semibold text-4xl tracking-tight">Contact</h1>
          <p className="mt-3 text-lg text-muted">
            A question, a problem, an idea: write to us. You will get a reply within 24 hours, at the address you give.
          </p>
        </div>
        <ContactForm />
      </div>
    </PublicPage>
  );
}
