import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { type Loaded, LoadFailure } from '../../lib/load-failure.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { outdatedClass } from '../../ui/list/list-skeleton.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { Loading } from '../../ui/skeleton.tsx';

interface AdminListProps<Page, Row> {
  list: ComponentProps<typeof LoadMore>['list'] &
    Loaded & {
      data: { pages: readonly Page[] } | undefined;
      isPlaceholderData: boolean;
    };
  rowsOf: (page: Page) => readonly Row[];
  /** What is loading, for screen readers. */
  loading: string;
  /** The sentence for a list without an entry. */
  empty: string;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A list of the operator's page with its states: loading, failed, empty, and its pages so far. */
export function AdminList<Page, Row>({ list, rowsOf, loading, empty, children }: AdminListProps<Page, Row>) {
  return (
    <AdminPart of={list} loading={loading}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => rowsOf(page));
        if (rows.length === 0) return <EmptyState title={empty} />;
        return (
          <div
            className={classes('flex flex-col gap-4', list.isPlaceholderData && outdatedClass)}
            aria-busy={list.isPlaceholderData}
          >
            {children(rows)}
            <LoadMore list={list} />
          </div>
        );
      }}
    </AdminPart>
  );
}

interface AdminPartProps<Data> {
  of: Loaded & { data: Data | undefined };
  /** What is loading, for screen readers. */
  loading: string;
  children: (data: Data) => ReactNode;
}

/** A part of the operator's page that a query loads: a placeholder until it is there, or why it isn't. */
export function AdminPart<Data>({ of: query, loading, children }: AdminPartProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isLoadingError) return <LoadFailure of={query} />;
  return <Loading label={loading} className="flex flex-col gap-3" parts={['h-14', 'h-14', 'h-14', 'h-14']} />;
}

interface EntryListProps<Page, Row> extends Omit<AdminListProps<Page, Row>, 'children'> {
  label: string;
  children: (row: Row) => ReactNode;
}

/** A list that is no table. */
export const EntryList = <Page, Row>({ label, children, ...list }: EntryListProps<Page, Row>) => (
  <AdminList {...list}>
    {(rows) => (
      <ul aria-label={label} className="flex flex-col divide-y rounded-lg border bg-raised">
        {rows.map((row) => children(row))}
      </ul>
    )}
  </AdminList>
);

export const Entry = ({ children }: { children: ReactNode }) => (
  <li className="px-4 py-3 [overflow-wrap:anywhere]">{children}</li>
);

/** A link to another part of the operator's page, with room for a finger. */
export const AdminLink = ({ className, ...link }: LinkProps & { className?: string }) => (
  <Link
    {...link}
    className={classes('inline-flex min-h-6 items-center underline underline-offset-4 touch:min-h-11', className)}
  />
);

/** The same inside an entry. */
export const EntryLink = (link: LinkProps) => <AdminLink {...link} className="text-sm" />;

/** What can be done about an entry. */
export const EntryActs = ({ children }: { children: ReactNode }) => (
  <div className="mt-2 flex flex-wrap items-center gap-2">{children}</div>
);

/** Chooses the entries of all accounts again; nothing where they are of all. */
export const AllAccounts = ({ account, onChoose }: { account: string; onChoose: () => void }) =>
  account !== '' && (
    <Button variant="ghost" onClick={onChoose}>
      Show all accounts
    </Button>
  );
