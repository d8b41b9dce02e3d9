import { providerCalls } from '@atelier/contract/accounts/ways';
import type { Holdings, PersonDetails } from '@atelier/contract/operator/people';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { callQuery, keys } from '../../lib/query.ts';
import { formatNumber, sizeText } from '../../ui/formats.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { Section, Setting } from '../../ui/page/section.tsx';
import { ActDialog } from './act-dialog.tsx';
import { useActOnPerson, useDeletePerson, useRejectPerson } from './admin.api.ts';
import { PublishingAct } from './publishing-act.tsx';

interface PersonActsProps {
  person: PersonDetails;
  /** Whether this server mails people. */
  mail: boolean;
}

/** What an operator can do with an account. */
export function PersonActs({ person, mail }: PersonActsProps) {
  const does = useActOnPerson(person.id);
  return (
    <Section title="Actions">
      <div className="mt-2">
        {person.waitingFor !== null && <Entry person={person} mail={mail} does={does} />}
        <Setting label="Plan" actions={<PlanAct person={person} does={does} />}>
          {person.plan === 'pro' ? 'Pro, without limits.' : 'Free, with its limits.'}
        </Setting>
        <Password person={person} mail={mail} does={does} />
        <Setting
          label="Second factor"
          actions={
            person.twoFactor && (
              <ActDialog
                label="Remove"
                title="Remove the second factor?"
                act={does('remove-factor')}
                done="The second factor is removed."
              >
                <p>They will sign in without a code. Make sure that the request comes from them.</p>
              </ActDialog>
            )
          }
        >
          {person.twoFactor ? 'On.' : 'Off.'}
        </Setting>
        <Setting
          label="Passkeys"
          actions={
            person.passkeys > 0 && (
              <ActDialog
                label="Remove"
                title="Remove all passkeys?"
                isDanger
                act={does('remove-passkeys')}
                done="The passkeys are removed."
              >
                <p>
                  They are signed out everywhere, and have to sign in another way: without one, nobody can. Make sure
                  that the request comes from them.
                </p>
              </ActDialog>
            )
          }
        >
          {person.passkeys === 0 ? 'None.' : formatNumber(person.passkeys)}
        </Setting>
        <Setting
          label="Publishing"
          actions={<PublishingAct isBlocked={person.publishingBlocked !== null} accountId={person.id} />}
        >
          {person.publishingBlocked === null ? 'They can publish agents.' : `Blocked: ${person.publishingBlocked}`}
        </Setting>
        {!person.isOwn && <Closing person={person} does={does} />}
      </div>
    </Section>
  );
}

type Does = ReturnType<typeof useActOnPerson>;

function Entry({ person, mail, does }: PersonActsProps & { does: Does }) {
  const { mutateAsync } = useRejectPerson(person.id, useLeave('The new account is deleted.'));
  return (
    <Setting
      label="Approval"
      actions={
        <>
          <ActDialog label="Approve" title="Let this account in?" act={does('approve')} done="The account is let in.">
            <p>They can log in at once. {mail ? 'They get a mail.' : 'This server can’t send mail, so tell them.'}</p>
          </ActDialog>
          <ActDialog label="Refuse" title="Refuse this account?" isDanger act={mutateAsync}>
            <p>The new account is deleted, for good. Nothing can be in it yet, and nobody is told.</p>
          </ActDialog>
        </>
      }
    >
      Nobody can sign in to this account until you let it in.
    </Setting>
  );
}

/** Nothing where nobody signs in with one. */
function Password({ person, mail, does }: PersonActsProps & { does: Does }) {
  const { data } = useQuery(callQuery(keys.signInProviders, providerCalls.list));
  if (data?.passwords === false) return null;
  return (
    <Setting
      label="Password"
      actions={
        mail && (
          <ActDialog
            label="Mail a reset link"
            title="Mail a link to choose a new password?"
            needsReason={false}
            act={does('reset-link')}
            done="The link is on its way."
          >
            <p>The link goes to {person.email}, not to you. It works once.</p>
          </ActDialog>
        )
      }
    >
      {mail
        ? 'If they forgot it, mail them a link to choose a new one.'
        : `This server can’t send mail. Create a link on its machine: npm run admin -- reset-link ${person.email}`}
    </Setting>
  );
}

const PlanAct = ({ person, does }: { person: PersonDetails; does: Does }) =>
  person.plan === 'pro' ? (
    <ActDialog
      label="Take back Pro"
      title="Take back Pro?"
      isDanger
      act={does('take-pro')}
      done="The account is Free now."
    >
      <p>The limits of Free apply at once. Nothing is deleted, and no payment is refunded.</p>
    </ActDialog>
  ) : (
    <ActDialog label="Grant Pro" title="Grant Pro?" act={does('grant-pro')} done="The account is Pro now.">
      <p>The account is Pro for life, unless an operator takes it back.</p>
    </ActDialog>
  );

function Closing({ person, does }: { person: PersonDetails; does: Does }) {
  return (
    <>
      <Setting
        label="Access"
        actions={
          person.disabled ? (
            <ActDialog
              label="Enable"
              title="Enable this account?"
              needsReason={false}
              act={does('enable')}
              done="The account is enabled."
            >
              <p>They can sign in again.</p>
            </ActDialog>
          ) : (
            <ActDialog
              label="Disable"
              title="Disable this account?"
              isDanger
              act={does('disable')}
              done="The account is disabled."
            >
              <p>
                They are signed out everywhere, their answers stop and their API keys are refused. Nothing is deleted.
              </p>
            </ActDialog>
          )
        }
      >
        {person.disabled ? 'They can’t sign in.' : 'They can sign in.'}
      </Setting>
      <Setting label="Deletion" actions={<Deletion person={person} />}>
        Deletes the account and everything in it, for good.
      </Setting>
    </>
  );
}

/** Leaves the page of an account that is gone, and says so. */
function useLeave(done: string): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    toast.success(done);
    await navigate('/admin/people', { replace: true });
  };
}

function Deletion({ person }: { person: PersonDetails }) {
  const { mutateAsync } = useDeletePerson(person.id, useLeave('The account is deleted.'));
  return (
    <ActDialog label="Delete" title="Delete this account for good?" isDanger email={person.email} act={mutateAsync}>
      <p>This can’t be undone. It deletes:</p>
      <p>{deletionWords(person)}</p>
    </ActDialog>
  );
}

/** What an account has, by name. */
export const holdingWords = (holdings: Holdings): [name: string, count: number][] => [
  ['Agents', holdings.agents],
  ['Public agents', holdings.publicAgents],
  ['Memories', holdings.memories],
  ['Facts', holdings.facts],
  ['Files', holdings.files],
  ['Attachments', holdings.attachments],
  ['Saved prompts', holdings.prompts],
  ['API keys', holdings.keys],
  ['Shared links', holdings.links],
  ['Payments', holdings.payments],
];

function deletionWords({ exchanges, sessions, storage, holdings }: PersonDetails): string {
  const counts: [string, number][] = [['Sessions', sessions], ['Exchanges', exchanges], ...holdingWords(holdings)];
  const some = counts.filter(([name, count]) => count > 0 && name !== 'Public agents');
  const parts = some.map(([name, count]) => `${name}: ${formatNumber(count)}`);
  return [...parts, `Storage: ${sizeText(storage)}`].join(', ');
}
