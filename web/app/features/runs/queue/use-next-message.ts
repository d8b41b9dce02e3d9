import { useEffect, useState } from 'react';
import { useSteady } from '../composer/use-sending.ts';

export interface NextMessage {
  /** What is sent now waits for the running answer. */
  queues: boolean;
  /** A message is on its way to the server. */
  sending: boolean;
  send: (text: string) => void;
  queue: (text: string) => void;
}

/** Sends a message, or queues it while an answer runs. One that comes while another is on its way is queued once that has arrived. */
export function useNextMessage({ queues, sending, send, queue }: NextMessage): (text: string) => void {
  const [wanted, setWanted] = useState<string>();
  const queueWanted = useSteady(() => wanted !== undefined && queue(wanted));
  useEffect(() => {
    if (wanted === undefined || (sending && !queues)) return;
    setWanted(undefined);
    // Otherwise the one before was refused, and its words came back first.
    if (queues) queueWanted();
  }, [wanted, queues, sending, queueWanted]);
  return (text) => {
    if (queues) queue(text);
    else if (sending) setWanted(text);
    else send(text);
  };
}
