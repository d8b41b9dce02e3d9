import type { ReadableServer, ServerContent, ServerFile } from '@atelier/contract/mcp/server-contents';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { SeenName, SeenText } from '../../../lib/names/seen-text.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { Choice } from './choice.ts';
import { Preview } from './content-preview.tsx';
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
        <Button size="sm" variant="ghost" className="-ml-3" onClick={onBack}>
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
