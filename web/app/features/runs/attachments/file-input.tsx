import { ACCEPTED } from '@atelier/contract/files';
import { type ComponentProps, cloneElement, type ReactElement, useRef } from 'react';

export interface FileInputProps {
  /** Opens the choice of files. */
  button: ReactElement<ComponentProps<'button'>>;
  onFiles: (files: readonly File[]) => void;
}

/** Picks files of the kinds that a message may have. */
export default function FileInput({ button, onFiles }: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={`image/*,${ACCEPTED}`}
        aria-label="Files to attach"
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
