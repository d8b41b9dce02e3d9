import { quoteServer, type ReadableServer, type ServerFile } from '@atelier/contract/mcp/server-contents';
import { useState } from 'react';
import { Field } from '../../../ui/field.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { Select } from '../../../ui/select.tsx';
import type { Choice } from './choice.ts';
import { ChosenContent } from './chosen-content.tsx';
import { ContentsList } from './contents-list.tsx';

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
            <Field label="Server">
              {(control) => (
                <Select
                  {...control}
                  value={server.id}
                  options={servers.map(({ id, name }) => ({ value: id, label: name }))}
                  onChange={(e) => setServerId(e.target.value)}
                />
              )}
            </Field>
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
