import { type ReactElement, useRef } from 'react';

/** A choice of files: `open` shows it, and `input` goes anywhere in the page. The same file may be chosen again. */
export function useFilePicker(
  props: { 'aria-label': string; accept: string; multiple?: boolean },
  onFiles: (files: readonly [File, ...File[]]) => void,
): { open: () => void; input: ReactElement } {
  const input = useRef<HTMLInputElement>(null);
  return {
    open: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        className="sr-only"
        {...props}
        onChange={({ currentTarget }) => {
          const [first, ...others] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (first) onFiles([first, ...others]);
        }}
      />
    ),
  };
}
