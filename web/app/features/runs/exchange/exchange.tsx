import { excerpt } from '@atelier/contract/agents';
import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { Task } from '@atelier/contract/runs';
import { memo, type ReactNode, useRef } from 'react';
import { AgentMark } from '../../../ui/agent-mark.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Pencil } from '../../../ui/icons/lucide.ts';
import { Time } from '../../../ui/list/time.tsx';
import { InUnsavedArea, type UnsavedArea } from '../../../ui/overlay/unsaved.tsx';
import { AnswerText } from '../answer/answer-text.tsx';
import { MessageAttachments } from '../attachments/message-attachments.tsx';
import { BranchSwitch } from '../branches/branch-switch.tsx';
import { ExchangeActions } from '../branches/exchange-actions.tsx';
import { MessageEdit } from '../branches/message-edit.tsx';
import { isUnderWay } from '../task-patches.ts';
import { OmittedTools } from './omitted-tools.tsx';
import { RunEnding, type RunEndingProps } from './run-ending.tsx';
import { Thinking, Thoughts } from './thoughts.tsx';
import { ToolCalls } from './tool-calls.tsx';

export interface ExchangeProps extends RunEndingProps {
  /** The agent's address, for its mark. */
  agentId: string;
  agentDeleted: boolean;
  /** Far enough up that the browser need not lay it out until it is scrolled to. */
  old: boolean;
  /** The newest of the session: only its answer can be continued. */
  newest: boolean;
  /** Asks the agent to go on where its answer was cut. */
  onContinue: () => void;
  /** Its message is being edited. */
  editing: boolean;
  /** Begins to edit the message of an exchange, or ends it. */
  onEditing: (taskId: string | null) => void;
  /** Goes around the field in which it is edited. */
  editArea: UnsavedArea;
  /** Renders an answer's memory below it. */
  renderMemory: (task: Task, agentId: string) => ReactNode;
}

/** How many characters of its question name an exchange for screen readers. */
export const NAME = 80;

/** One exchange: the person's message and the agent's answer. */
export const Exchange = memo(function Exchange(props: ExchangeProps) {
  const { task, agentId, old, newest, onContinue, mayRetry, renderMemory } = props;
  const live = isUnderWay(task);
  const isSilent = live && task.message === '';
  return (
    <article
      data-task={task.id}
      aria-label={excerpt(task.inputText, NAME)}
      className={classes('flex flex-col gap-4 py-4', old && 'exchange-old')}
    >
      <SentMessage {...props} />
      <div key={task.id} data-answer="" className="flex flex-col gap-2">
        <AnswerHead agentId={agentId} name={task.agentName} offline={task.model === 'offline'} />
        {task.thoughts && (
          <Thoughts
            text={task.thoughts}
            live={isSilent && task.status !== 'waiting'}
            unanswered={!live && task.message === ''}
            ms={task.usage?.thoughtMs}
          />
        )}
        {task.toolCalls.length > 0 && <ToolCalls task={task} />}
        <OmittedTools task={task} />
        {task.message !== '' && <AnswerText text={task.message} live={live} words={task.inputText} />}
        {((isSilent && !task.thoughts) || (live && task.wait)) && task.status !== 'waiting' && (
          <Thinking wait={task.wait} />
        )}
        {task.without !== undefined && (
          <p className="text-muted text-sm">
            Asked again without {task.without === 1 ? 'one memory' : `${task.without} memories`}.
          </p>
        )}
        {!live && <RunEnding {...props} />}
        {!live && task.cut && (
          <CutNotice why={task.cut} onContinue={newest ? onContinue : undefined} mayContinue={mayRetry} />
        )}
        {!live && (
          <div className="flex min-h-8 flex-wrap items-center gap-1">
            {task.message !== '' && renderMemory(task, agentId)}
            <span className="flex items-center first:-ml-2 touch:first:-ml-3.5">
              {task.message !== '' && <CopyButton text={task.message} label="Copy answer" />}
              <ExchangeActions task={task} mayRun={mayRetry} />
            </span>
          </div>
        )}
      </div>
    </article>
  );
});

type SentProps = Pick<ExchangeProps, 'task' | 'agentDeleted' | 'editing' | 'onEditing' | 'editArea' | 'mayRetry'>;

/** The person's message with its versions, or the field in which it is edited. */
function SentMessage({ task, agentDeleted, editing, onEditing, editArea, mayRetry }: SentProps) {
  const pencil = useRef<HTMLButtonElement>(null);
  const close = () => {
    onEditing(null);
    // It is there again only after this has been rendered.
    requestAnimationFrame(() => pencil.current?.focus());
  };
  return (
    <PersonWords
      text={task.inputText}
      timestamp={task.timestamp}
      attachments={task.attachments}
      editor={
        editing && (
          <InUnsavedArea value={editArea}>
            <MessageEdit {...{ task, agentDeleted }} maySend={mayRetry} onClose={close} />
          </InUnsavedArea>
        )
      }
      actions={
        <>
          <BranchSwitch task={task} mayChange={mayRetry} />
          {!agentDeleted && (
            <IconButton ref={pencil} size="sm" label="Edit message" onClick={() => onEditing(task.id)}>
              <Pencil className="size-3.5" />
            </IconButton>
          )}
        </>
      }
    />
  );
}

interface PersonWordsProps {
  text: string;
  timestamp?: string;
  attachments?: readonly Attachment[] | undefined;
  /** Stands in place of the words. */
  editor?: ReactNode;
  actions?: ReactNode;
}

/** The person's message, exactly as typed, and what came with it. */
export function PersonWords({ text, timestamp, attachments = [], editor, actions }: PersonWordsProps) {
  return (
    <div className="rounded-lg border bg-raised px-4 py-3">
      <div className="mb-0.5 flex flex-wrap items-center justify-between gap-x-2">
        <h2 className="flex items-baseline gap-2 text-muted text-sm">
          <span className="font-semibold">You</span>
          {timestamp && <Time at={timestamp} className="font-normal text-xs" />}
        </h2>
        {actions && !editor && <div className="-my-1.5 -mr-2 flex items-center">{actions}</div>}
      </div>
      {editor || (
        <p dir="auto" className="me-auto max-w-[72ch] whitespace-pre-wrap">
          {text}
        </p>
      )}
      {attachments.length > 0 && <MessageAttachments attachments={attachments} />}
    </div>
  );
}

/** Who answers: mark and name, and whether it is the built-in model. */
export function AnswerHead({ agentId, name, offline }: { agentId: string; name: string; offline: boolean }) {
  return (
    <h2 className="flex items-center gap-2 text-sm">
      <AgentMark id={agentId} size={24} />
      <span dir="auto" className="min-w-0 truncate font-semibold">
        {name}
      </span>
      {offline && <span className="shrink-0 font-normal text-muted text-xs">offline model</span>}
    </h2>
  );
}

const WHY: Record<NonNullable<Task['cut']>, string> = {
  length: 'The model reached its length limit, so this answer stops here.',
  filter: 'The provider’s content filter stopped this answer.',
};

interface CutNoticeProps {
  why: NonNullable<Task['cut']>;
  /** Left out where something has been said since. */
  onContinue?: (() => void) | undefined;
  /** False while nothing can be sent. */
  mayContinue: boolean;
}

/** Below an answer that ended before its time: why, and the way on. */
function CutNotice({ why, onContinue, mayContinue }: CutNoticeProps) {
  return (
    <div className="flex max-w-[72ch] flex-wrap items-center gap-x-3 gap-y-2">
      <p className="text-muted">
        <span className="font-semibold">Cut.</span> {WHY[why]}
      </p>
      {onContinue && (
        <Button size="sm" disabled={!mayContinue} onClick={onContinue}>
          Continue
        </Button>
      )}
    </div>
  );
}
