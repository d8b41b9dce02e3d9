import { quoteServer, type ReadableServer, type ServerFile } from '@atelier/contract/mcp/server-contents';
import { type ReactNode, useState } from 'react';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { SeenName, SeenText } from '../../../lib/names/seen-text.tsx';
import { ListSkeleton } from '../../../ui/list/list-skeleton.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { SelectField } from '../../../ui/select.tsx';
import { type Choice, ofPrompt, ofResource, ofTemplate } from './choice.ts';
import { ChosenContent } from './chosen-content.tsx';
import { usePrompts, useResources } from './contents.api.ts';

export interface ContentsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  servers: readonly ReadableServer[];
  /** Takes a quotation for the message; undefined where there is no message. */
  onInsert?: (quotation: string) => void;
  /** Takes files for the message. */
  onAttach?: (files: readonly File[]) => void;
}

/** The prompts and resources of tool servers: to read, and to put into a message. */
export default function ContentsDialog({ open, onOpenChange, servers, onInsert, onAttach }: ContentsDialogProps) {
  const [serverId, setServerId] = useState<string>();
  const [choice, setChoice] = useState<Choice>();
  const server = servers.find(({ id }) => id === serverId) ?? servers[0];
  const change = (next: boolean) => {
    onOpenChange(next);
    if (!next) setChoice(undefined);
  };
  return (
    <Dialog open={open} onOpenChange={change} title="From a tool server" size="lg" tall>
      {server && (
        <div className="flex flex-col gap-4">
          {servers.length > 1 && !choice && (
            <SelectField
              label="Server"
              value={server.id}
              options={servers.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(e) => setServerId(e.target.value)}
            />
          )}
          {choice ? (
            <ChosenContent
              server={server}
              choice={choice}
              onBack={() => setChoice(undefined)}
              onInsert={
                onInsert &&
                (({ text, cut }) => {
                  onInsert(quoteServer({ server: server.name, name: choice.name, text: cut ? `${text}…` : text }));
                  change(false);
                })
              }
              onAttach={
                onAttach &&
                ((files) => {
                  onAttach(files.map(fileOf));
                  change(false);
                })
              }
            />
          ) : (
            <ContentsList key={server.id} server={server} onChoose={setChoice} />
          )}
        </div>
      )}
    </Dialog>
  );
}

const fileOf = ({ name, type, base64 }: ServerFile) =>
  new File([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], name, { type });

/** A server's prompts and resources, to choose one. */
function ContentsList({ server, onChoose }: { server: ReadableServer; onChoose: (choice: Choice) => void }) {
  const prompts = usePrompts(server);
  const resources = useResources(server);
  if (prompts.isPending || resources.isPending) return <ListSkeleton label={`Asking “${server.name}”`} />;
  if (prompts.isLoadingError || resources.isLoadingError) return <LoadFailure of={[prompts, resources]} />;
  const templates = (resources.data?.templates ?? []).map(ofTemplate).filter((one) => one !== null);
  const lists: [string, Choice[]][] = [
    ['Prompts', (prompts.data?.prompts ?? []).map(ofPrompt)],
    ['Resources', (resources.data?.resources ?? []).map(ofResource)],
    ['Resources by name', templates],
  ];
  const some = lists.filter(([, choices]) => choices.length > 0);
  if (some.length === 0) {
    return (
      <p className="text-muted">
        “<SeenName name={server.name} />” has tools only: it offers no prompts and no resources.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      {some.map(([title, choices]) => (
        <Choices key={title} title={title}>
          {choices.map((choice, i) => (
            <ChoiceRow key={i} choice={choice} onChoose={onChoose} />
          ))}
        </Choices>
      ))}
      {(prompts.data?.more || resources.data?.more) && (
        <p className="text-muted text-sm">The server offers more than these lists can show.</p>
      )}
    </div>
  );
}

const Choices = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-1 font-semibold text-sm">{title}</h3>
    <ul className="flex flex-col divide-y rounded border">{children}</ul>
  </section>
);

const ChoiceRow = ({ choice, onChoose }: { choice: Choice; onChoose: (choice: Choice) => void }) => (
  <li>
    <button
      type="button"
      onClick={() => onChoose(choice)}
      className="flex min-h-11 w-full flex-col justify-center px-3 py-2 text-left hover:bg-sunken"
    >
      <span className="font-semibold text-sm [overflow-wrap:anywhere]">
        <SeenName name={choice.name} />
      </span>
      {choice.description !== '' && choice.description !== choice.name && (
        <span className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">
          <SeenText text={choice.description} />
        </span>
      )}
    </button>
  </li>
);
