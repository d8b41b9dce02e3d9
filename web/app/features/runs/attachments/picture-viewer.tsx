import { useState } from 'react';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Download } from '../../../ui/icons/lucide.ts';
import { Dialog } from '../../../ui/overlay/dialog.tsx';

export interface PictureViewerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  picture: { name: string; url: string; width?: number | undefined; height?: number | undefined; drawn?: boolean };
}

/** A picture as large as the window allows, or in its own size; one that is drawn of lines fills the width. */
export default function PictureViewer({ open, onOpenChange, picture }: PictureViewerProps) {
  const { name, url, width, height, drawn } = picture;
  // On a phone, a wide drawing is larger in its own size.
  const [whole, setWhole] = useState(!drawn || innerWidth > (width ?? 0));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={<span className="[overflow-wrap:anywhere]">{name}</span>}
      description={width && height && !drawn ? `${width} × ${height} pixels` : undefined}
      size="full"
      footer={
        <>
          <Button onClick={() => setWhole(!whole)}>{whole ? 'Own size' : 'Fit the window'}</Button>
          <a href={url} download={drawn ? 'diagram.svg' : name} className={buttonClass('secondary')}>
            <Download className="size-4" />
            Download
          </a>
        </>
      }
    >
      {/* A scrolling area must be reachable by keyboard. */}
      <div role="group" aria-label="Picture" tabIndex={0} className="max-h-[70dvh] overflow-auto">
        <img
          src={url}
          alt={name}
          width={width}
          height={height}
          style={drawn && width && height ? { aspectRatio: width / height } : undefined}
          className={classes(
            'mx-auto h-auto',
            whole ? 'max-h-[70dvh] max-w-full object-contain' : 'max-w-none',
            whole && (drawn ? 'w-full' : 'w-auto'),
          )}
        />
      </div>
    </Dialog>
  );
}
