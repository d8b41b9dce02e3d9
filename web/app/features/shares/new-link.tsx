import { useState } from 'react';
import { errorText } from '../../lib/http.ts';
import type { Shareable } from '../../lib/share-open.ts';
import { ErrorLine } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { MadeLink } from './made-link.tsx';
import { useCreateShare } from './shares.api.ts';

/** Asks what a new link shows, and creates it. */
export function NewLink({ shared }: { shared: Shareable }) {
  const isAnswer = shared.taskId !== undefined;
  const create = useCreateShare(shared);
  const [withReceipts, setWithReceipts] = useState(false);
  const [follows, setFollows] = useState(false);
  if (create.data) return <MadeLink share={create.data} onMore={() => create.reset()} />;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!create.isPending) create.mutate({ withReceipts, follows });
      }}
    >
      <p>
        {isAnswer
          ? 'The link shows your question and this answer'
          : 'The link shows the session’s name and its messages'}
        , the agent’s name and the times. Your name, your files and your agent’s prompt are not added; what the messages
        say of them is shown.
      </p>
      <Checkbox
        label="Show what the answers used"
        hint="The memories and tool calls behind them. They may be private: check them first."
        checked={withReceipts}
        onChange={(event) => setWithReceipts(event.target.checked)}
      />
      {!isAnswer && (
        <Checkbox
          label="Show later messages too"
          hint="Otherwise the link stays as the session is now."
          checked={follows}
          onChange={(event) => setFollows(event.target.checked)}
        />
      )}
      {create.isError && <ErrorLine className="text-sm">{errorText(create.error)}</ErrorLine>}
      <Button type="submit" variant="primary" className="self-start" loading={create.isPending}>
        Create link
      </Button>
    </form>
  );
}
