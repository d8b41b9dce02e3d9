import type { ReadableServer, ServerContent, ServerFile } from '@atelier/contract/mcp/server-contents';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { SeenName, SeenText } from '../../../lib/names/seen-text.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { useUnsavedArea } from '../../../ui/overlay/unsaved.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { Choice } from './choice.ts';
import { useReadContent } from './contents.api.ts';

interface ChosenContentProps {
  server: ReadableServer;
  choice: Choice;
  onBack: () => void;
  /** Puts the text into the message; undefined where there is none. */
  onInsert?: (content: ServerContent) => void;
  /** Attaches its files to the message; undefined where there is none. */
  onAttach?: (files: readonly ServerFile[]) => void;
}

/** Asks for the values that a prompt or a resource needs, and shows its text. */
export function ChosenContent({ server, choice, onBack, onInsert, onAttach }: ChosenContentProps) {
  const read = useReadContent(server);
  const { mutate } = read;
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const { leave } = useUnsavedArea(!read.isSuccess && [...values.values()].some((value) => value !== ''));
  const heading = useRef<HTMLHeadingElement>(null);
  const needsNothing = choice.fields.length === 0;
  useEffect(() => {
    heading.current?.focus();
    if (needsNothing) mutate(choice.wanted(new Map()));
  }, [choice, needsNothing, mutate]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // It is inside of other forms on the page, as React sees it.
    event.stopPropagation();
    mutate(choice.wanted(values));
  };
  const content = read.data;
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Button size="sm" variant="ghost" className="-ml-3" onClick={() => leave(onBack)}>
          ‹ All of “<SeenName name={server.name} />”
        </Button>
        <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none [overflow-wrap:anywhere]">
          <SeenName name={choice.name} />
        </h3>
        {choice.description !== '' && (
          <p className="text-muted text-sm [overflow-wrap:anywhere]">
            <SeenText text={choice.description} />
          </p>
        )}
      </div>
      {!needsNothing && (
        <form onSubmit={submit} className="flex flex-col gap-3">
          {choice.fields.map(({ name, description, required }) => (
            <TextField
              key={name}
              label={required ? name : `${name} (optional)`}
              hint={description === '' ? undefined : <SeenText text={description} />}
              required={required}
              maxLength={4_000}
              autoComplete="off"
              value={values.get(name) ?? ''}
              onChange={(e) => setValues(new Map(values).set(name, e.target.value))}
            />
          ))}
          <Button type="submit" size="sm" className="self-start" loading={read.isPending}>
            Show the text
          </Button>
        </form>
      )}
      {read.isPending && needsNothing && <Skeleton className="h-40" />}
      {read.isError && <Failure text={errorText(read.error)} onRetry={() => mutate(choice.wanted(values))} />}
      {content && <Preview content={content} onInsert={onInsert && (() => onInsert(content))} onAttach={onAttach} />}
    </div>
  );
}

interface PreviewProps {
  content: ServerContent;
  onInsert: (() => void) | undefined;
  onAttach: ((files: readonly ServerFile[]) => void) | undefined;
}

/** What a server answered, and how to take it into the message. */
function Preview({ content, onInsert, onAttach }: PreviewProps) {
  const { files = [] } = content;
  return (
    <>
      {content.text !== '' && (
        <pre
          role="group"
          tabIndex={0}
          aria-label="Text of the server"
          className="max-h-72 overflow-y-auto whitespace-pre-wrap rounded bg-sunken p-3 font-mono text-sm [overflow-wrap:anywhere]"
        >
          <SeenText text={content.text} />
        </pre>
      )}
      {content.cut && <p className="text-warning text-sm">The text is longer: this is its beginning.</p>}
      {content.left.length > 0 && (
        <p className="text-muted text-sm">Not text, so left out: {content.left.join('; ')}.</p>
      )}
      {files.length > 0 && (
        <ul aria-label="Files of the server" className="flex flex-col gap-1">
          {files.map(({ name, type, base64 }, i) => (
            <li key={`${i} ${name}`} className="[overflow-wrap:anywhere]">
              <SeenName name={name} />{' '}
              <span className="text-muted text-sm">
                {type}, {Math.ceil((base64.length * 3) / 4 / 1024)} KB
              </span>
            </li>
          ))}
        </ul>
      )}
      {onAttach && files.length > 0 && (
        <Button variant="primary" className="self-start" onClick={() => onAttach(files)}>
          Attach to the message
        </Button>
      )}
      {content.text === '' && content.left.length === 0 && files.length === 0 && (
        <p className="text-muted text-sm">It is empty.</p>
      )}
      {onInsert && content.text !== '' && (
        <div className="flex flex-col gap-1">
          <Button variant="primary" className="self-start" onClick={onInsert}>
            Put into the message
          </Button>
          <p className="text-muted text-sm">
            It comes as a quotation, which you can shorten. The agent never takes quoted words for yours.
          </p>
        </div>
      )}
    </>
  );
}
