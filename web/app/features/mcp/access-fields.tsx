import { type McpAccess, mcpHeaders } from '@atelier/contract/mcp';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { AreaField, TextField } from '../../ui/text-field.tsx';

export interface Access {
  token: string;
  /** One header a line, as it is typed. */
  lines: string;
}

/** What was typed as headers, or what is wrong with it. */
export function readAccess({ token, lines }: Access): { headers: McpAccess['headers'] } | { error: string } {
  const typed = lines.split('\n').filter((line) => line.trim() !== '');
  const wrong = typed.find((line) => !/^[^:\s]+:\s*\S/.test(line));
  if (wrong !== undefined) return { error: 'Write each header on a line of its own, as in “X-API-Key: abc”.' };
  const pairs = typed.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  const bearer: [string, string][] = token.trim() === '' ? [] : [['Authorization', `Bearer ${token.trim()}`]];
  const parsed = mcpHeaders.safeParse(Object.fromEntries([...pairs, ...bearer]));
  return parsed.success ? { headers: parsed.data } : { error: parsed.error.issues[0]?.message ?? 'Check the headers.' };
}

export function useAccess() {
  const [access, setAccess] = useState<Access>({ token: '', lines: '' });
  return { access, setAccess, isTyped: access.token !== '' || access.lines !== '' };
}

interface AccessFieldsProps {
  access: Access;
  onChange: (access: Access) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  error: string | undefined;
  first?: RefObject<HTMLInputElement | null>;
}

/** Asks for what a server knows the person by: a token, or headers of any name. */
export function AccessFields({ access, onChange, onKeyDown, error, first }: AccessFieldsProps) {
  return (
    <>
      <TextField
        label={<OptionalLabel>Token</OptionalLabel>}
        error={error}
        hint="Kept encrypted, sent to this server only, and never shown again."
        ref={first}
        type="password"
        autoComplete="off"
        value={access.token}
        onChange={(e) => onChange({ ...access, token: e.target.value })}
        onKeyDown={onKeyDown}
      />
      <details className="text-sm" open={access.lines !== '' || undefined}>
        <summary className="min-h-8 cursor-pointer font-semibold touch:min-h-11">Other headers</summary>
        <AreaField
          label="Headers, one per line"
          hint="For example X-API-Key: abc"
          rows={2}
          autoComplete="off"
          spellCheck={false}
          className="min-h-16 font-mono text-sm"
          value={access.lines}
          onChange={(e) => onChange({ ...access, lines: e.target.value })}
        />
      </details>
    </>
  );
}

const OptionalLabel = ({ children }: { children: string }) => (
  <>
    {children} <span className="font-normal text-muted">(if the server wants one)</span>
  </>
);

/** Enter in a field of a form within the agent's: it sends this one. */
export const onEnter = (submit: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  submit();
};
