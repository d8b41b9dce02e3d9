import type { Attachment } from '@atelier/contract/attachments/attachments';
import { Download, FileText } from '../../../ui/icons/lucide.ts';
import { Enlarge } from './enlarge.tsx';

/** The pictures and files of a message: pictures open large, files are saved. */
export function MessageAttachments({ attachments }: { attachments: readonly Attachment[] }) {
  return (
    <ul aria-label="Attached" className="mt-2 flex flex-wrap gap-2">
      {attachments.map((one) => (
        <li key={one.id} className="flex min-w-0 max-w-full">
          {one.kind === 'picture' ? <Picture picture={one} /> : <FileChip file={one} />}
        </li>
      ))}
    </ul>
  );
}

const HEIGHT = 112;

/** Its place has its size before it is loaded. */
function Picture({ picture }: { picture: Attachment }) {
  const { name, url, width = HEIGHT, height = HEIGHT } = picture;
  const shownWidth = Math.min(240, Math.max(48, Math.round((width / height) * HEIGHT)));
  return (
    <Enlarge picture={picture} className="max-w-full overflow-hidden rounded border bg-sunken hover:border-ink">
      <img
        src={url}
        alt={`Open ${name}`}
        width={shownWidth}
        height={HEIGHT}
        loading="lazy"
        className="max-w-full object-cover"
        style={{ width: shownWidth, height: HEIGHT }}
      />
    </Enlarge>
  );
}

function FileChip({ file: { name, url, note } }: { file: Attachment }) {
  return (
    <a
      href={url}
      download={name}
      title={note ?? `Download ${name}`}
      className="inline-flex min-h-10 min-w-0 max-w-full items-center gap-2 rounded border px-3 text-sm hover:bg-sunken touch:min-h-11"
    >
      <FileText className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 truncate">{name}</span>
      <Download aria-label="Download" className="size-4 shrink-0 text-muted" />
    </a>
  );
}
