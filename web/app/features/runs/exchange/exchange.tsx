import { excerpt } from '@atelier/contract/agents';
import type { Task } from '@atelier/contract/runs';
import { memo, type ReactNode } from 'react';
import { AgentMark } from '../../../ui/agent-mark.tsx';
import { classes } from '../../../ui/classes.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { AnswerText } from '../answer/answer-text.tsx';
import { isUnderWay } from '../task-patches.ts';
import { CutNotice } from './cut-notice.tsx';
import { LeftOutTools } from './left-out-tools.tsx';
import { RunEnding, type RunEndingProps } from './run-ending.tsx';
import { Thinking } from './thinking.tsx';
import { Thoughts } from './thoughts.tsx';
import { ToolCalls } from './tool-calls.tsx';

export interface ExchangeProps extends RunEndingProps {
  /** The agent's address, for its mark. */
  agentId: string;
  /** Far enough up that the browser need not lay it out until it is scrolled to. */
  old: boolean;
  /** The newest of the session: only its answer can be continued. */
  newest: boolean;
  /** Asks the agent to go on where its answer was cut. */
  onContinue: () => void;
  /** Renders an answer's memory below it. */
  renderMemory: (task: Task, agentId: string) => ReactNode;
}

/** How many characters of its question name an exchange for screen readers. */
export const NAME = 80;

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** One exchange: the person's message and the agent's answer. */
export const Exchange = memo(function Exchange(props: ExchangeProps) {
  const { task, agentId, old, newest, onContinue, mayRetry, renderMemory } = props;
  const live = isUnderWay(task);
  return (
    <article
      data-task={task.id}
      aria-label={excerpt(task.inputText, NAME)}
      className={classes('flex flex-col gap-4 py-4', old && 'exchange-old')}
    >
      <PersonWords text={task.inputText} timestamp={task.timestamp} />
      <div data-answer="" className="flex flex-col gap-2">
        <AnswerHead agentId={agentId} name={task.agentName} offline={task.model === 'offline'} />
        {task.thoughts && <Thoughts text={task.thoughts} live={live && task.message === ''} />}
        {task.toolCalls.length > 0 && <ToolCalls task={task} />}
        <LeftOutTools task={task} />
        {task.message !== '' && <AnswerText text={task.message} live={live} words={task.inputText} />}
        {live && (task.message === '' || task.wait) && task.status !== 'waiting' && <Thinking wait={task.wait} />}
        {task.without !== undefined && (
          <p className="text-muted text-sm">
            Asked again without {task.without === 1 ? 'one memory' : `${task.without} memories`}.
          </p>
        )}
        {!live && <RunEnding {...props} />}
        {!live && task.cut && (
          <CutNotice why={task.cut} onContinue={newest ? onContinue : undefined} mayContinue={mayRetry} />
        )}
        {!live && task.message !== '' && (
          <div className="flex min-h-8 flex-wrap items-center gap-1">
            {renderMemory(task, agentId)}
            <span className="first:-ml-2 touch:first:-ml-3.5">
              <CopyButton text={task.message} label="Copy answer" />
            </span>
          </div>
        )}
      </div>
    </article>
  );
});

/** The person's message, exactly as typed. */
export function PersonWords({ text, timestamp }: { text: string; timestamp?: string }) {
  return (
    <div className="rounded-lg border bg-raised px-4 py-3">
      <h2 className="mb-0.5 flex items-baseline gap-2 text-muted text-sm">
        <span className="font-semibold">You</span>
        {timestamp && (
          <time dateTime={timestamp} className="font-normal text-xs">
            {clock.format(new Date(timestamp))}
          </time>
        )}
      </h2>
      <p dir="auto" className="max-w-[72ch] whitespace-pre-wrap">
        {text}
      </p>
    </div>
  );
}

/** Who answers: mark and name, and whether it is the built-in model. */
export function AnswerHead({ agentId, name, offline }: { agentId: string; name: string; offline: boolean }) {
  return (
    <h2 className="flex items-center gap-2 text-sm">
      <AgentMark id={agentId} size={24} />
      <span className="min-w-0 truncate font-semibold">{name}</span>
      {offline && <span className="shrink-0 font-normal text-muted text-xs">offline model</span>}
    </h2>
  );
}
