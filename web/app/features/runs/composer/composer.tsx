import { wordsFor } from '@atelier/contract/attachments/attachments';
import { type KeyboardEvent, type ReactNode, type RefObject, type SubmitEvent, useLayoutEffect } from 'react';
import { ErrorLine } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { ArrowUp, ListPlus, Square } from '../../../ui/icons/lucide.ts';
import { later } from '../../../ui/later.tsx';
import { AttachButton } from '../attachments/attach-button.tsx';
import { useAttachments } from '../attachments/use-attachments.ts';
import { usePromptMenu } from '../prompts/use-prompt-menu.tsx';
import { isSendable, lengthNotice, sendsOn } from './composer-rules.ts';
import { useDraft } from './run-stores.ts';

// Most messages are written without attachments.
const AttachmentTray = later(() => import('../attachments/attachment-tray.tsx'));

export interface ComposerProps {
  sessionId: string;
  agentName: string;
  /** The agent's model, which may not see pictures. */
  model: string | undefined;
  field: RefObject<HTMLTextAreaElement | null>;
  /** A message is being sent or queued: the person may type now, and send the next one afterwards. */
  busy: boolean;
  /** An answer is running: what is sent now waits for its end. */
  queues: boolean;
  /** The answer waits for the person's decision about a tool. */
  waiting: boolean;
  /** Stops the answer; undefined when there is none. */
  onStop?: () => void;
  stopping: boolean;
  onSend: (text: string) => void;
  /** Takes files elsewhere than into this composer: their session is yet to be made. */
  onFiles?: ((files: readonly File[]) => Promise<string | undefined>) | undefined;
  /** Edits the last message: ↑ in an empty field. */
  onEditLast: () => void;
  /** What else can be put into a message, before the field. */
  extras?: ReactNode;
  /** Why the last message could not be sent. */
  error?: string;
}

/** The message field: Enter sends, Shift+Enter breaks the line, Esc stops the answer, `/` at the start opens the saved prompts. */
export function Composer(props: ComposerProps) {
  const { sessionId, agentName, field, busy, queues, onStop, onSend, error } = props;
  const [text, write] = useDraft(sessionId);
  const prompts = usePromptMenu({ text, write, field });
  const length = lengthNotice(text);
  const attachments = useAttachments(sessionId, props.onFiles);
  const attaching = attachments.waiting;
  // Attachments alone get a sentence that names them.
  const words =
    text.trim() === '' && attachments.items.length > 0
      ? wordsFor(attachments.items.map(({ name, stored }) => stored?.name ?? name))
      : text;
  const maySend = isSendable(words) && attaching === undefined;
  useGrowing(field, text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (prompts.onKeyDown(event)) return;
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      props.onEditLast();
    }
    if (!sendsOn(event)) return;
    event.preventDefault();
    if (maySend) onSend(words);
  };
  const onSubmit = (event: SubmitEvent) => {
    // React passes on what a dialog of the composer submits, though it stands elsewhere in the page.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    if (maySend) onSend(words);
    field.current?.focus();
  };
  const problem = length?.over ? `The message is too long: ${length.text}.` : error;
  return (
    <form onSubmit={onSubmit} className="relative flex flex-col gap-1.5">
      {prompts.menu}
      {problem && (
        <ErrorLine id="composer-problem" className="text-sm">
          {problem}
        </ErrorLine>
      )}
      <AttachmentTray open={attachments.shown} attachments={attachments} model={props.model} field={field} />
      <div className={boxClass}>
        <textarea
          ref={field}
          id="composer"
          dir="auto"
          aria-label="Message"
          aria-describedby={classes(problem && 'composer-problem', 'composer-hint')}
          aria-invalid={length?.over || undefined}
          rows={1}
          enterKeyHint="send"
          placeholder={`Message ${agentName}`}
          value={text}
          onChange={(e) => write(e.target.value)}
          onKeyDown={onKeyDown}
          onPaste={attachments.onPaste}
          {...prompts.field}
          className="field-sizing-content max-h-[40dvh] min-h-11 resize-none bg-transparent px-3 py-2.5 text-base leading-6 outline-none placeholder:text-muted"
        />
        <div className="flex items-center gap-2">
          <AttachButton attachments={attachments} />
          {prompts.button}
          {props.extras}
          <span className="flex-1" />
          <SendButtons hasText={words.trim() !== ''} {...{ maySend, busy, queues, onStop }} stopping={props.stopping} />
        </div>
      </div>
      <Hint {...props} attaching={attaching} length={length?.over ? undefined : length?.text} />
    </form>
  );
}

const boxClass =
  'flex flex-col rounded-lg border border-edge bg-raised p-1.5 focus-within:outline-2 focus-within:outline-ink';

type HintProps = Pick<ComposerProps, 'queues' | 'waiting'> & {
  attaching: string | undefined;
  length: string | undefined;
};

function Hint({ queues, waiting, attaching, length }: HintProps) {
  const underWay = waiting
    ? 'The agent waits for your decision above. Stop (Esc) ends it.'
    : 'The agent is answering. What you send now waits until it is done; Stop (Esc) ends it.';
  return (
    <p id="composer-hint" className="flex min-h-5 flex-wrap justify-between gap-x-4 text-muted text-xs leading-5">
      <span>
        {attaching ??
          (queues ? (
            underWay
          ) : (
            <span className="touch:hidden">Enter sends, Shift+Enter starts a new line, / opens saved prompts.</span>
          ))}
      </span>
      {length && <span className="font-mono">{length}</span>}
    </p>
  );
}

/** Grows the field with its text if the browser can't. */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string) {
  useLayoutEffect(() => {
    const box = field.current;
    if (!box || CSS.supports('field-sizing', 'content')) return;
    box.style.height = 'auto';
    box.style.height = text === '' ? '' : `${box.scrollHeight}px`;
  }, [field, text]);
}

interface SendButtonsProps {
  /** There is something to send. */
  hasText: boolean;
  maySend: boolean;
  /** A request is under way. */
  busy: boolean;
  /** What is sent now waits for the running answer. */
  queues: boolean;
  onStop: (() => void) | undefined;
  stopping: boolean;
}

/** Send; while an answer runs, Stop, and beside it Queue once something is written. */
function SendButtons({ hasText, maySend, busy, queues, onStop, stopping }: SendButtonsProps) {
  const label = queues ? 'Queue' : 'Send';
  const Icon = queues ? ListPlus : ArrowUp;
  return (
    <>
      {(!onStop || hasText) && (
        <Button type="submit" variant="primary" loading={busy} disabled={!busy && !maySend}>
          {!busy && <Icon className="size-4" />}
          {label}
        </Button>
      )}
      {onStop && (
        <Button variant="secondary" loading={stopping} onClick={onStop} className="touch:min-h-11">
          <Square className="size-3.5 fill-current" />
          Stop
        </Button>
      )}
    </>
  );
}
