import type { ServerContent, ServerFile } from '@atelier/contract/mcp/server-contents';
import { SeenName, SeenText } from '../../../lib/names/seen-text.tsx';
import { Button } from '../../../ui/button.tsx';

interface PreviewProps {
  content: ServerContent;
  onInsert: (() => void) | undefined;
  onAttach: ((files: readonly ServerFile[]) => void) | undefined;
}

/** What a server answered, and how to take it into the message. */
export function Preview({ content, onInsert, onAttach }: PreviewProps) {
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
