import { ACCEPTED } from '@atelier/contract/files';
import { type ComponentProps, cloneElement, type ReactElement, useRef } from 'react';

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
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={anyPicture ? `image/*,${ACCEPTED}` : ACCEPTED}
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      {cloneElement(button, { onClick: () => input.current?.click() })}
    </>
  );
}
