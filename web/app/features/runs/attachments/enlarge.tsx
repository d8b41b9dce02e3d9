import { type ReactNode, useState } from 'react';
import { later } from '../../../ui/later.tsx';
import type { PictureViewerProps } from './picture-viewer.tsx';

const PictureViewer = later(() => import('./picture-viewer.tsx'));

export interface EnlargeProps {
  picture: PictureViewerProps['picture'];
  className?: string;
  /** The picture, small. */
  children: ReactNode;
}

/** A picture that a press opens as large as the window allows. */
export function Enlarge({ picture, className, children }: EnlargeProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" title={`Look at ${picture.name}`} className={className} onClick={() => setOpen(true)}>
        {children}
      </button>
      <PictureViewer open={open} onOpenChange={setOpen} picture={picture} />
    </>
  );
}
