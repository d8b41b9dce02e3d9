import { AGENT_LIMITS } from '@atelier/contract/agents';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Plus, X } from '../../ui/icons/lucide.ts';
import { TextInput } from '../../ui/text-input.tsx';
import type { AgentFieldsProps } from './agent-form-state.ts';

/** Up to four ways to begin, shown in an empty session. */
export function StarterFields({ form, errors, change }: AgentFieldsProps) {
  const { starters } = form;
  const set = (at: number, text: string) => change({ starters: starters.map((s, i) => (i === at ? text : s)) });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-semibold text-sm">Starters</legend>
      {/* A row has no identity beyond its place. */}
      {[...starters.entries()].map(([i, starter]) => (
        <div key={i} className="flex items-center gap-2">
          <TextInput
            name={i === 0 ? 'starters' : undefined}
            aria-label={`Starter ${i + 1}`}
            maxLength={AGENT_LIMITS.starter}
            value={starter}
            onChange={(e) => set(i, e.target.value)}
          />
          <IconButton
            label={`Remove starter ${i + 1}`}
            onClick={() => change({ starters: starters.filter((_, at) => at !== i) })}
          >
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      ))}
      {starters.length < AGENT_LIMITS.starters && (
        <Button size="sm" className="self-start" onClick={() => change({ starters: [...starters, ''] })}>
          <Plus aria-hidden="true" className="size-4" />
          Add a starter
        </Button>
      )}
      <p className={errors.starters ? 'text-danger text-sm' : 'text-muted text-sm'}>
        {errors.starters ?? 'Questions to begin with, offered in an empty session.'}
      </p>
    </fieldset>
  );
}
