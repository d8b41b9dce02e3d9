import type { PersonDetails } from '@atelier/contract/operator/people';
import { Link } from 'react-router';
import { Banner } from '../../ui/banner.tsx';
import { formatNumber, minuteOf, sizeText } from '../../ui/formats.ts';
import { Section } from '../../ui/page/section.tsx';
import { usePerson } from './admin.api.ts';
import { AdminLink, AdminPart } from './admin-list.tsx';
import { Figures } from './figures.tsx';
import { holdingWords, PersonActs } from './person-acts.tsx';

/** One account: counts, sizes, and what an operator can do with it. */
export function PersonPage({ accountId }: { accountId: string }) {
  const answer = usePerson(accountId);
  return (
    <>
      <Link to="/admin/people" className="self-start underline underline-offset-4 touch:py-2.5">
        All people
      </Link>
      <AdminPart of={answer} loading="Loading this person">
        {(data) => <Person {...data} />}
      </AdminPart>
    </>
  );
}

function Person({ person, mail }: { person: PersonDetails; mail: boolean }) {
  return (
    <>
      <div>
        <h2 className="font-semibold text-2xl [overflow-wrap:anywhere]">{person.displayName || person.email}</h2>
        <p className="text-muted [overflow-wrap:anywhere]">
          {person.email}
          {person.emailVerified ? '' : ' (not confirmed)'}
        </p>
      </div>
      {person.disabled && (
        <Banner tone="warning">This account is disabled: {person.disabledReason || 'no reason given'}</Banner>
      )}
      {person.waitingFor !== null && (
        <Banner tone="warning">
          {person.waitingFor === 'approval'
            ? 'This new account waits for your approval.'
            : 'This new account waits until its email is confirmed.'}{' '}
          Nobody can sign in to it.
        </Banner>
      )}
      <Section title="Account">
        <Figures figures={figuresOf(person)} />
      </Section>
      {person.grants.length > 0 && (
        <Section title="Why Pro">
          <ul className="mt-2 flex flex-col gap-2 [overflow-wrap:anywhere]">
            {person.grants.map(({ at, source, reason }) => (
              <li key={at}>
                {source === 'payment' ? 'By a payment' : 'By an operator'}: {reason}
                <span className="block text-muted text-sm">{minuteOf(at)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <PersonActs person={person} mail={mail} />
      <p className="flex flex-wrap gap-x-6">
        <AdminLink to={`/admin/audit?account=${person.id}`}>What happened to this account</AdminLink>
        <AdminLink to={`/admin/payments?account=${person.id}`}>Payments of this account</AdminLink>
      </p>
    </>
  );
}

const figuresOf = (person: PersonDetails): [name: string, figure: string][] => [
  ['Plan', person.plan === 'pro' ? 'Pro' : 'Free'],
  ['Created', minuteOf(person.createdAt)],
  ['Last seen', person.lastSeenAt === null ? 'Never' : minuteOf(person.lastSeenAt)],
  ['Second factor', person.twoFactor ? 'On' : 'Off'],
  ['Messages counted', formatNumber(person.messages)],
  ['Exchanges', formatNumber(person.exchanges)],
  ['Sessions', formatNumber(person.sessions)],
  ['Storage', sizeText(person.storage)],
  ...holdingWords(person.holdings).map(([name, count]): [string, string] => [name, formatNumber(count)]),
];
