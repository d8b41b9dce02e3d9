import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PublicPage } from './public-page.tsx';

export interface LegalSection {
  title: string;
  body: ReactNode;
}

/** A legal text: its date, its sections, and a link for questions. */
export function LegalPage({ title, sections }: { title: string; sections: readonly LegalSection[] }) {
  return (
    <PublicPage>
      <article className="mx-auto w-full max-w-[72ch] px-5 py-10 sm:px-8">
        <h1 className="font-semibold text-4xl tracking-tight">{title}</h1>
        <p className="mt-2 text-muted">Last updated: June 8, 2025</p>
        {sections.map((section, index) => (
          <section key={section.title} className="mt-8 border-t pt-6 print:break-inside-avoid">
            <h2 className="font-semibold text-xl">
              <span className="mr-3 font-mono text-base text-muted">{index + 1}</span>
              {section.title}
            </h2>
            <div className="mt-2 flex flex-col gap-3 text-lg leading-7">{section.body}</div>
          </section>
        ))}
      </article>
    </PublicPage>
  );
}

const linkClass = 'font-semibold underline underline-offset-4';

/** A link inside a legal text. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={linkClass}>
      {children}
    </Link>
  );
}

/** The link in every legal text. */
export const ContactLink = () => <TextLink to="/contact">contact page</TextLink>;
