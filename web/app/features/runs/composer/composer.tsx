import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type RefObject, type SubmitEvent, useLayoutEffect } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { isSendable, lengthNotice, sendsOn } from './composer-rules.ts';
import { useDraft } from './run-stores.ts';

export interface ComposerProps {
  sessionId: string;
  agentName: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Why nothing can be written here, for example because the agent was deleted. */
  closed?: string;
  /** An answer is running: the person may type now, and send when it has ended. */
  busy: boolean;
  /** The answer waits for the person's decision about a tool. */
  waiting: boolean;
  /** Stops the answer; undefined when there is none. */
  onStop?: () => void;
  stopping: boolean;
  onSend: (text: string) => void;
  /** Why the last message could not be sent. */
  error?: string;
}

/** The message field: Enter sends, Shift+Enter breaks the line, Esc stops the answer. */
export function Composer(props: ComposerProps) {
  const { sessionId, agentName, field, closed, busy, onStop, onSend, error } = props;
  const [text, write] = useDraft(sessionId);
  const length = lengthNotice(text);
  useGrowing(field, text);
  const send = () => {
    if (!busy && closed === undefined && isSendable(text)) onSend(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!sendsOn(event.nativeEvent)) return;
    event.preventDefault();
    send();
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
    field.current?.focus();
  };
  const problem = length?.over ? `The message is too long: ${length.text}.` : error;
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-1.5">
      {problem && (
        <p role="alert" id="composer-problem" className="text-danger text-sm">
          {problem}
        </p>
      )}
      <div className={boxClass}>
        <textarea
          ref={field}
          id="composer"
          aria-label="Message"
          aria-describedby={classes(problem && 'composer-problem', 'composer-hint')}
          aria-invalid={length?.over || undefined}
          disabled={closed !== undefined}
          rows={1}
          enterKeyHint="send"
          placeholder={closed === undefined ? `Message ${agentName}` : ''}
          value={text}
          onChange={(e) => write(e.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-[40dvh] min-h-11 flex-1 resize-none bg-transparent px-3 py-2.5 text-base leading-6 outline-none placeholder:text-muted disabled:cursor-not-allowed"
        />
        {onStop ? (
          <Button variant="secondary" loading={props.stopping} onClick={onStop} className="touch:min-h-11">
            <Square aria-hidden="true" className="size-3.5 fill-current" />
            Stop
          </Button>
        ) : (
          <Button type="submit" variant="primary" loading={busy} disabled={closed !== undefined || !isSendable(text)}>
            {!busy && <ArrowUp aria-hidden="true" className="size-4" />}
            Send
          </Button>
        )}
      </div>
      <Hint {...props} length={length?.over ? undefined : length?.text} />
    </form>
  );
}

const boxClass =
  'flex items-end gap-2 rounded-lg border border-edge bg-raised p-1.5 focus-within:outline-2 focus-within:outline-ink has-[textarea:disabled]:bg-surface';

type HintProps = Pick<ComposerProps, 'closed' | 'busy' | 'waiting'> & { length: string | undefined };

function Hint({ closed, busy, waiting, length }: HintProps) {
  const underWay = waiting
    ? 'The agent waits for your decision above. Stop (Esc) ends it.'
    : 'The agent is answering. Press Stop (Esc), or send when it is done.';
  return (
    <p id="composer-hint" className="flex min-h-5 flex-wrap justify-between gap-x-4 text-muted text-xs leading-5">
      <span>
        {closed ??
          (busy ? underWay : <span className="touch:hidden">Enter sends, Shift+Enter starts a new line.</span>)}
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
