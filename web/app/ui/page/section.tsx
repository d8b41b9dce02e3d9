import type { ReactNode } from 'react';

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

/** One topic of a page. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = anchorOf(title);
  return (
    <section aria-labelledby={id} className="rounded-lg border bg-raised p-6">
      <h2 id={id} className="scroll-mt-8 font-semibold text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** On a phone: the way to the sections of a long page. */
export function SectionLinks({ titles }: { titles: readonly string[] }) {
  return (
    <nav aria-label="On this page" className="flex flex-wrap gap-x-5 sm:hidden">
      {titles.map((title) => (
        <a
          key={title}
          href={`#${anchorOf(title)}`}
          className="inline-flex min-h-11 items-center underline underline-offset-4"
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

/** A setting of a section: what it is, how it stands, and what can be done about it. */
export function Setting({ label, children, actions }: { label: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t py-4 first-of-type:border-t-0 last:pb-0">
      <div className="min-w-48 flex-1">
        <h3 className="font-semibold">{label}</h3>
        <div className="break-words text-muted">{children}</div>
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
