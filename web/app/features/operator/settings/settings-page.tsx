import type { SettingsAnswer } from '@atelier/contract/operator/settings-calls';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { errorText } from '../../../lib/http.ts';
import { FailureBanner } from '../../../ui/failure.tsx';
import { formatNumber } from '../../../ui/formats.ts';
import { useServerSettings } from '../admin.api.ts';
import { entryLinkClass } from '../admin-list.tsx';
import { ListWaiting } from '../list-waiting.tsx';
import { AllInvitations } from './all-invitations.tsx';
import { ANNOUNCEMENT, budgetFields, SIGN_UP } from './setting-fields.ts';
import { SettingsForm } from './settings-form.tsx';
import { Variables } from './variables.tsx';

/** What the operator changes while the server runs, and what its environment says. */
export function SettingsPage() {
  const { data, isPending, error, refetch } = useServerSettings();
  return (
    <>
      {isPending && <ListWaiting label="Loading the settings" />}
      {error && !data && <FailureBanner text={errorText(error)} onRetry={() => void refetch()} />}
      {data && <Settings answer={data} />}
    </>
  );
}

function Settings({ answer }: { answer: SettingsAnswer }) {
  return (
    <>
      <p className="text-muted">What you change here counts at once, on every server of this installation.</p>
      <SettingsForm title="Announcement" fields={ANNOUNCEMENT} current={answer} needsReason={false}>
        {announcementNote(answer)}
      </SettingsForm>
      <SettingsForm title="Sign-up" fields={SIGN_UP} current={answer}>
        {signUpNote(answer)}
      </SettingsForm>
      <AllInvitations />
      <SettingsForm title="Budgets" fields={budgetFields(answer.currency)} current={answer}>
        <Note>
          Days and months are in UTC; tokens are read and written together, and {formatNumber(answer.leastTokens)} are
          the least, because one answer reserves them (BUDGET_RUN_TOKENS). While money is limited, models without a
          price can’t be used. What you leave empty has no limit.
        </Note>
      </SettingsForm>
      <Variables variables={answer.variables} settings={answer.settings} />
    </>
  );
}

const Note = ({ children }: { children: ReactNode }) => <p className="text-muted text-sm">{children}</p>;

function announcementNote({ settings }: SettingsAnswer): ReactNode {
  if (settings.announcement === '') return <Note>It is a line at the top of every page, for everybody.</Note>;
  const until = settings['announcement-until'];
  if (until === '') return <Note>Nobody sees it until you choose its last day.</Note>;
  if (until < new Date().toISOString().slice(0, 10)) return <Note>Its last day has passed; nobody sees it.</Note>;
  return <Note>Everybody sees it at the top of every page, until they close it.</Note>;
}

function signUpNote({ settings, mail }: SettingsAnswer): ReactNode {
  const mode = settings['sign-up'];
  if (mode === 'domain' && settings['sign-up-domains'].length === 0)
    return <Note>Nobody can sign up until you name a domain.</Note>;
  const waits = mode === 'approval' || (mode === 'domain' && !mail);
  return (
    waits && (
      <div>
        {mode === 'domain' && (
          <Note>This server can’t send mail, so nobody can confirm an email: let each new account in.</Note>
        )}
        <Link to="/admin/people?show=waiting" className={entryLinkClass}>
          Accounts that wait for approval
        </Link>
      </div>
    )
  );
}
