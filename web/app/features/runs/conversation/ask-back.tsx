import { READY_AGENTS } from '@atelier/contract/agents/ready-agents';
import type { Task } from '@atelier/contract/runs';
import { useAuth } from '../../../lib/auth.tsx';
import { Button } from '../../../ui/button.tsx';
import { isAtLimit } from '../composer/limits.ts';

/** After the opener of a ready agent has been answered: one press asks for what it said, and shows that the agent remembers. */
export function AskBack({ tasks, onSend }: { tasks: readonly Task[]; onSend: (text: string) => void }) {
  const { me } = useAuth();
  const [first, ...later] = tasks;
  if (first?.status !== 'done' || later.length > 0 || (me && isAtLimit(me))) return null;
  const question = READY_AGENTS.find(({ opener }) => opener === first.inputText)?.askBack;
  if (question === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-4">
      <span className="text-muted text-sm">See whether it remembers:</span>
      <Button size="sm" className="font-normal" onClick={() => onSend(question)}>
        {question}
      </Button>
    </div>
  );
}
