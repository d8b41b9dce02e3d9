import type { Attachment } from '@atelier/contract/attachments/attachments';
import { Download } from 'lucide-react';
import { buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';

export interface PictureViewerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  picture: Attachment;
}

/** A picture of a message as large as the window allows. */
export default function PictureViewer({ open, onOpenChange, picture }: PictureViewerProps) {
  const { name, url, width, height } = picture;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={<span className="[overflow-wrap:anywhere]">{name}</span>}
      description={width && height ? `${width} × ${height} pixels` : undefined}
      size="lg"
      footer={
        <a href={url} download={name} className={buttonClass('secondary')}>
          <Download aria-hidden="true" className="size-4" />
          Download
        </a>
      }
    >
      <img
        src={url}
        alt={name}
        width={width}
        height={height}
        className="mx-auto h-auto max-h-[70dvh] w-auto max-w-full"
      />
    </Dialog>
  );
}
