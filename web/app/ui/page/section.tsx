import { type ReactNode, useId } from 'react';

/** One topic of a page. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border bg-raised p-6">
      <h2 id={id} className="font-semibold text-xl">
        {title}
      </h2>
      {children}
    </section>
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
