import type { Task } from '@atelier/contract/runs';
import type { Session } from '@atelier/contract/sessions';
import { Suspense } from 'react';
import { FactActions } from '../../features/facts/fact-actions.tsx';
import { FileCitations, OpenFileButton } from '../../features/files/file-citations.tsx';
import { MemoryChip } from '../../features/memory/memory-chip.tsx';
import { hasReceipt } from '../../features/memory/receipt.ts';
import { AnswerText } from '../../features/runs/answer/answer-text.tsx';
import { attachFiles } from '../../features/runs/attachments/use-attachments.ts';
import { Conversation, type ConversationProps } from '../../features/runs/conversation/conversation.tsx';
import { AskAgainButton } from '../../features/runs/exchange/ask-again-button.tsx';
import { AnswerFigures } from '../../features/usage/answer-figures.tsx';
import { part } from '../../ui/part.tsx';
import { MessageExtras } from './message-extras.tsx';

// Only an answer that used memory needs it.
const ContextPopup = part(() => import('../../features/memory/context-popup.tsx'));

// The person wrote none of the addresses in it.
const renderMarkdown = (text: string) => <AnswerText text={text} live={false} words="" isCompact />;

const renderMemory = (task: Task, agentId: string) => (
  <>
    <FileCitations task={task} agentId={agentId} />
    <MemoryChip
      task={task}
      renderMarkdown={renderMarkdown}
      renderActions={(item, close) => (
        <>
          <OpenFileButton item={item} agentId={agentId} />
          <FactActions item={item} />
          <AskAgainButton task={task} memoryId={item.id} onAsked={close} />
        </>
      )}
    />
    <AnswerFigures task={task} />
  </>
);

const renderExtras = ({ id, agentId }: Session) => (
  <MessageExtras sessionId={id} agentId={agentId} onFiles={(files) => attachFiles(id, files)} />
);

const renderContext = (task: Task, onClose: () => void) =>
  hasReceipt(task) && (
    <Suspense>
      <ContextPopup key={task.id} task={task} onClose={onClose} />
    </Suspense>
  );

/** One session on the screen, with the memory that its answers used. */
export default function RuntimeConversation(
  props: Omit<ConversationProps, 'renderMemory' | 'renderExtras' | 'renderContext'>,
) {
  return (
    <Conversation {...props} renderMemory={renderMemory} renderExtras={renderExtras} renderContext={renderContext} />
  );
}
