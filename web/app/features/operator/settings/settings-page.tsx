import type { ServerSettings } from '@atelier/contract/operator/settings';
import type { SettingsAnswer, VariableValue } from '@atelier/contract/operator/settings-calls';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../ui/formats.ts';
import { Section } from '../../../ui/page/section.tsx';
import { useServerSettings } from '../admin.api.ts';
import { AdminPart, EntryLink } from '../admin-list.tsx';
import { AllInvitations } from './all-invitations.tsx';
import { ANNOUNCEMENT, budgetFields, SIGN_UP } from './setting-fields.ts';
import { SettingsForm } from './settings-form.tsx';

/** What the operator changes while the server runs, and what its environment says. */
export const SettingsPage = () => (
  <AdminPart of={useServerSettings()} loading="Loading the settings">
    {(answer) => <Settings answer={answer} />}
  </AdminPart>
);

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
        <EntryLink to="/admin/people?show=waiting">Accounts that wait for approval</EntryLink>
      </div>
    )
  );
}

const FROM = { environment: 'Environment', file: 'File .env', default: 'Default' };

const valueText = ({ value, from, isSecret }: VariableValue) =>
  isSecret && from !== 'default' ? 'Set, not shown' : (value ?? 'Not set');

/** Whether the operator has set on this page what the variable would set. */
const isChanged = ({ name }: VariableValue, settings: ServerSettings) =>
  settings[name.toLowerCase().replaceAll('_', '-') as keyof ServerSettings] !== undefined;

function placeText(variable: VariableValue, settings: ServerSettings): string {
  if (isChanged(variable, settings)) return 'Changed above';
  return variable.value === null && variable.from === 'default' ? '' : FROM[variable.from];
}

/** Every variable of the environment as the server was started with it. */
function Variables({ variables, settings }: { variables: VariableValue[]; settings: ServerSettings }) {
  const groups = [...Map.groupBy(variables, ({ group }) => group)];
  return (
    <Section title="Environment">
      <p className="mt-2 text-muted">
        These can’t be changed here. Change them where they are set, then restart the server.
      </p>
      {groups.map(([group, own]) => (
        <div key={group} className="mt-6">
          <h3 id={`variables-${group}`} className="font-semibold">
            {group}
          </h3>
          <ul aria-labelledby={`variables-${group}`} className="mt-1 flex flex-col divide-y text-sm">
            {own.map((variable) => (
              <li
                key={variable.name}
                className="grid gap-x-4 py-2 [overflow-wrap:anywhere] sm:grid-cols-[1fr_1fr_8rem]"
              >
                <span className="font-mono">{variable.name}</span>
                <span className={variable.value === null || variable.isSecret ? 'text-muted' : ''}>
                  {valueText(variable)}
                </span>
                <span className={variable.from === 'default' ? 'text-muted' : ''}>{placeText(variable, settings)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  );
}
