import type { ServerSettings } from '@atelier/contract/operator/settings';
import type { VariableValue } from '@atelier/contract/operator/settings-calls';
import { Section } from '../../../ui/page/section.tsx';

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
export function Variables({ variables, settings }: { variables: VariableValue[]; settings: ServerSettings }) {
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
