import type { Overview as Answer } from '@atelier/contract/operator/overview';
import { Link } from 'react-router';
import { formatMoney, formatNumber, minuteOf, sizeText } from '../../ui/formats.ts';
import { Section } from '../../ui/page/section.tsx';
import { useOverview } from './admin.api.ts';
import { AdminPart } from './admin-list.tsx';
import { countText, Figures } from './figures.tsx';

/** How the installation is today, and what needs a person. */
export const Overview = () => (
  <AdminPart of={useOverview()} loading="Loading the overview">
    {(data) => (
      <>
        <Due due={data.due} />
        <Section title="Today">
          <Figures figures={todayOf(data)} />
          <p className="mt-3 text-muted text-sm">The day began at 00:00 UTC. People are those whom a model answered.</p>
        </Section>
        <Section title="Storage">
          <Figures figures={storageOf(data)} />
        </Section>
        <Section title="Parts">
          <Parts parts={data.parts} />
        </Section>
        <p className="text-muted text-sm">Version {data.version}</p>
      </>
    )}
  </AdminPart>
);

function todayOf({ people, today }: Answer): [name: string, figure: string][] {
  const costs = today.costs.map(({ amount, currency }) => formatMoney(amount, currency));
  return [
    ['People, last 24 hours', countText(people.lastDay)],
    ['People, last 30 days', countText(people.lastMonth)],
    ['Exchanges', formatNumber(today.exchanges)],
    ['Failed exchanges', countText(today.errors)],
    ['Tokens read', formatNumber(today.inputTokens)],
    ['Tokens written', formatNumber(today.outputTokens)],
    ['Cost', costs.length === 0 ? 'No price known' : costs.join(' + ')],
  ];
}

const storageOf = ({ storage, lastBackupAt }: Answer): [name: string, figure: string][] => [
  ['Database', sizeText(storage.database)],
  ['Files', sizeText(storage.files)],
  ['Attachments', sizeText(storage.attachments)],
  ['Last backup', lastBackupAt === null ? 'None' : minuteOf(lastBackupAt)],
];

function Due({
  due: { payments, messages, failedJobs, waiting, reportedAgents, changedTools },
}: {
  due: Answer['due'];
}) {
  const links = [
    { to: '/admin/people?show=waiting', count: waiting, text: 'Accounts that wait for approval' },
    { to: '/admin/library', count: reportedAgents, text: 'Reported agents' },
    { to: '/admin/payments', count: payments, text: 'Refunds due and open disputes' },
    { to: '/admin/inbox', count: messages, text: 'Unanswered messages' },
    { to: '/admin/jobs', count: failedJobs, text: 'Failed jobs' },
    {
      to: '/admin/tool-servers',
      count: changedTools.reduce((all, { tools }) => all + tools, 0),
      text: 'Changed tools',
    },
  ].filter(({ count }) => count > 0);
  return (
    <Section title="What needs you">
      {links.length === 0 ? (
        <p className="mt-2 text-muted">Nothing right now.</p>
      ) : (
        <ul className="mt-2 flex flex-col">
          {links.map(({ to, count, text }) => (
            <li key={to}>
              <Link to={to} className={dueClass}>
                {text}: {countText(count)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const dueClass = 'inline-flex min-h-9 items-center underline underline-offset-4 touch:min-h-11';

const STATES = {
  ok: { label: 'Works', className: 'text-success' },
  'not set': { label: 'Not set up', className: 'text-muted' },
  broken: { label: 'Broken', className: 'text-danger' },
};

/** Broken ones first. */
const ORDER = ['broken', 'ok', 'not set'];

const Parts = ({ parts }: Pick<Answer, 'parts'>) => (
  <ul aria-label="Parts" className="mt-2 flex flex-col divide-y">
    {parts
      .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
      .map(({ name, of, state, about }) => (
        <li key={`${name} ${of}`} className="grid gap-x-4 py-2 [overflow-wrap:anywhere] sm:grid-cols-[12rem_6rem_1fr]">
          <span className="font-semibold first-letter:uppercase">{name}</span>
          <span className={STATES[state].className}>{STATES[state].label}</span>
          <span className="text-muted">{[of, about].filter((text) => text !== '').join(': ')}</span>
        </li>
      ))}
  </ul>
);
