import { type Person, peopleShow, peopleSort } from '@atelier/contract/operator/people';
import { formatNumber, sizeText } from '../../ui/formats.ts';
import { FigureTable, figureClass } from '../../ui/list/figure-table.tsx';
import { ChoiceField, SearchField } from '../../ui/list/filters.tsx';
import { Time } from '../../ui/list/time.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { usePeople } from './admin.api.ts';
import { AdminLink, AdminList } from './admin-list.tsx';

const SORTS = [
  { id: 'newest', name: 'Newest first' },
  { id: 'seen', name: 'Last sign-in first' },
  { id: 'email', name: 'By email' },
];

const SHOWS = [
  { id: 'all', name: 'Everybody' },
  { id: 'waiting', name: 'Waits for approval' },
];

const EMPTY = { all: 'Nobody matches. Try the beginning of a name or email.', waiting: 'Nobody waits for approval.' };

/** Everybody who has an account: who they are, counts and sizes, nothing that they wrote. */
export function PeopleList() {
  const { filters, change } = useFilters(['search', 'sort', 'show']);
  const sort = peopleSort.catch('newest').parse(filters.sort);
  const show = peopleShow.catch('all').parse(filters.show);
  const people = usePeople({ search: filters.search, sort, show });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr]">
        <SearchField
          label="Search people"
          placeholder="The beginning of a name or email"
          maxLength={200}
          words={filters.search}
          onChange={(search) => change({ search })}
        />
        <ChoiceField label="Order" chosen={sort} choices={SORTS} onChange={(chosen) => change({ sort: chosen })} />
        <ChoiceField label="Show" chosen={show} choices={SHOWS} onChange={(chosen) => change({ show: chosen })} />
      </div>
      <AdminList list={people} rowsOf={(page) => page.people} loading="Loading people" empty={EMPTY[show]}>
        {(rows) => <PeopleTable rows={rows} />}
      </AdminList>
    </>
  );
}

const PeopleTable = ({ rows }: { rows: readonly Person[] }) => (
  <FigureTable caption="People" words={['Person', 'Plan']} figures={['Last seen', 'Exchanges', 'Sessions', 'Storage']}>
    {rows.map((person) => (
      <PersonRow key={person.id} person={person} />
    ))}
  </FigureTable>
);

const PersonRow = ({ person }: { person: Person }) => (
  <tr>
    <th scope="row" className="min-w-48 px-3 py-2 text-start font-normal">
      <AdminLink to={`/admin/people/${person.id}`} className="font-semibold [overflow-wrap:anywhere]">
        {person.displayName || person.email}
      </AdminLink>
      <span className="block text-muted [overflow-wrap:anywhere]">{person.email}</span>
    </th>
    <td className="whitespace-nowrap px-3 py-2">
      {person.plan === 'pro' ? 'Pro' : 'Free'}
      {person.disabled && <span className="block text-danger">Disabled</span>}
      {person.waitingFor !== null && <span className="block text-warning">Waits</span>}
    </td>
    <td className={figureClass}>{person.lastSeenAt === null ? 'Never' : <Time at={person.lastSeenAt} />}</td>
    <td className={figureClass}>{formatNumber(person.exchanges)}</td>
    <td className={figureClass}>{formatNumber(person.sessions)}</td>
    <td className={figureClass}>{sizeText(person.storage)}</td>
  </tr>
);
