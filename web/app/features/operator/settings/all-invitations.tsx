import { type AnyInvitation, inviteBody, OPERATOR_INVITATION } from '@atelier/contract/operator/settings-calls';
import { useState } from 'react';
import { ApiError } from '../../../lib/http.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { formatNumber, minuteOf } from '../../../ui/formats.ts';
import { Section } from '../../../ui/page/section.tsx';
import { SelectField } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ActDialog } from '../act-dialog.tsx';
import { useAllInvitations, useEndInvitation, useInviteAsOperator } from '../admin.api.ts';
import { AdminPart, EntryActs, EntryLink } from '../admin-list.tsx';

/** The open invitations of everybody, and a form for a new one. */
export function AllInvitations() {
  const query = useAllInvitations();
  return (
    <Section title="Invitations">
      <p className="mt-2 text-muted">
        Anyone with one of these links can create an account, until it is used up or expires.
      </p>
      <div className="mt-4 flex flex-col gap-4">
        <AdminPart of={query} loading="Loading the invitations">
          {({ invitations }) =>
            invitations.length === 0 ? (
              <p>No invitation is open.</p>
            ) : (
              <ul aria-label="Invitations" className="flex flex-col divide-y">
                {invitations.map((invitation) => (
                  <Invitation key={invitation.id} invitation={invitation} />
                ))}
              </ul>
            )
          }
        </AdminPart>
        <div>
          <NewInvitation />
        </div>
      </div>
    </Section>
  );
}

const PLANS = { free: 'each Free', pro: 'each Pro' };

function Invitation({ invitation }: { invitation: AnyInvitation }) {
  const { id, by, token, plan, uses, maxUses, endsAt } = invitation;
  const { mutateAsync } = useEndInvitation(id);
  const until = minuteOf(endsAt);
  return (
    <li className="py-3 [overflow-wrap:anywhere]">
      <p>
        {formatNumber(uses)} of {formatNumber(maxUses)} used, until {until}
        {plan !== null && `, ${PLANS[plan]}`}
      </p>
      {by !== null && <EntryLink to={`/admin/people/${by.id}`}>By {by.email ?? 'a deleted account'}</EntryLink>}
      <EntryActs>
        {token !== null && (
          <CopyButton text={`${window.location.origin}/signup#${token}`} label={`Copy the invitation until ${until}`} />
        )}
        <ActDialog label="End" title="End this invitation?" isDanger act={mutateAsync} done="The invitation has ended.">
          <p>Its link will stop working. People who have joined stay.</p>
        </ActDialog>
      </EntryActs>
    </li>
  );
}

const PLAN_CHOICES = [
  { value: '', label: 'As every new account' },
  { value: 'free', label: 'Free' },
  { value: 'pro', label: 'Pro' },
];
const BEGIN = { people: '1', days: '7', plan: '' };
const { people: MOST_PEOPLE, days: MOST_DAYS } = OPERATOR_INVITATION;

/** How many people, for how long, and with which plan. */
function NewInvitation() {
  const [extent, setExtent] = useState(BEGIN);
  const { mutateAsync } = useInviteAsOperator();
  const set = (name: keyof typeof BEGIN) => (event: { target: { value: string } }) =>
    setExtent({ ...extent, [name]: event.target.value });
  const invite = async ({ reason }: { reason: string }) => {
    const { people, days, plan } = extent;
    const body = inviteBody.safeParse({ people: Number(people), days: Number(days), plan: plan || null, reason });
    if (!body.success) {
      const most = `People can be 1 to ${formatNumber(MOST_PEOPLE)}, days 1 to ${formatNumber(MOST_DAYS)}.`;
      throw new ApiError(400, 'invalid_input', most);
    }
    await mutateAsync(body.data);
    setExtent(BEGIN);
  };
  const figure = { inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <ActDialog
      label="Create an invitation"
      title="Create an invitation"
      act={invite}
      done="Invitation created. Copy its link and pass it on."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="People" {...figure} value={extent.people} onChange={set('people')} />
        <TextField label="Days" {...figure} value={extent.days} onChange={set('days')} />
      </div>
      <SelectField label="Plan" options={PLAN_CHOICES} value={extent.plan} onChange={set('plan')} />
    </ActDialog>
  );
}
