import { excerpt } from '@atelier/contract/agents';
import { Button } from '../../../ui/button.tsx';
import type { Send } from '../composer/outbox.ts';
import { AnswerHead, NAME, PersonWords } from './exchange.tsx';
import { Thinking } from './thoughts.tsx';

export interface OutgoingExchangeProps {
  send: Send;
  agentId: string;
  agentName: string;
  offline: boolean;
  onAgain: () => void;
  onDismiss: () => void;
}

/** A message that the server does not have yet: shown at once, with ways to retry or drop it if it can't be sent. */
export function OutgoingExchange(props: OutgoingExchangeProps) {
  const { send, agentId, agentName, offline, onAgain, onDismiss } = props;
  return (
    <article aria-label={excerpt(send.inputText, NAME)} className="flex flex-col gap-4 py-4">
      <PersonWords text={send.inputText} attachments={send.attachments} />
      {send.phase === 'sending' ? (
        <div className="flex flex-col gap-2">
          <AnswerHead agentId={agentId} name={agentName} offline={offline} />
          <Thinking />
        </div>
      ) : (
        <div role="alert" className="flex flex-col items-start gap-2">
          <p className="text-danger">
            <span className="font-semibold">Not sent.</span> {send.error}
          </p>
          <div className="flex gap-2">
            <Button size="sm" onClick={onAgain}>
              Send again
            </Button>
            <Button size="sm" variant="ghost" onClick={onDismiss}>
              Discard
            </Button>
          </div>
        </div>
      )}
    </article>
  );
}
