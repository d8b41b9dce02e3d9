import { ACCEPTED } from '@atelier/contract/files';
import { type ComponentProps, cloneElement, type ReactElement } from 'react';
import { useFilePicker } from './use-file-picker.tsx';

export interface FileInputProps {
  label: string;
  /** Opens the choice of files. */
  button: ReactElement<ComponentProps<'button'>>;
  /** Offers every picture, because the page writes it in a format that is accepted. */
  anyPicture?: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Picks files of the kinds that agents and messages take. */
export default function FileInput({ label, button, anyPicture, onFiles }: FileInputProps) {
  const accept = anyPicture ? `image/*,${ACCEPTED}` : ACCEPTED;
  const { open, input } = useFilePicker({ 'aria-label': label, accept, multiple: true }, onFiles);
  return (
    <>
      {input}
      {cloneElement(button, { onClick: open })}
    </>
  );
}
