import { useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { Check, Copy } from './icons/lucide.ts';
import { toast } from './overlay/toast.tsx';

const NO_COPY = 'The browser did not allow copying. Select the text and copy it by hand.';

/** Copies a text and returns whether it could; if not, the person reads `failure`. */
export async function copyText(text: string, failure = NO_COPY): Promise<boolean> {
  try {
    if (navigator.clipboard === undefined) copyFromField(text);
    else await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast.error(failure);
    return false;
  }
}

/** How to copy in a page that came by plain http from another machine, which has no `clipboard`. Throws where that isn't allowed. */
function copyFromField(text: string): void {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement('textarea');
  field.className = 'fixed top-0 opacity-0';
  field.readOnly = true;
  field.value = text;
  // A dialog takes the focus back from what is outside of it.
  (focused?.closest('[role="dialog"]') ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  const isCopied = document.execCommand('copy');
  focused?.focus({ preventScroll: true });
  field.remove();
  if (!isCopied) throw new Error('Copying is not allowed.');
}

/** Copies a text and confirms for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => setCopied(await copyText(text));
  return (
    <IconButton size="sm" label={copied ? 'Copied' : label} onClick={() => void copy()}>
      {copied ? <Check className="size-4 text-success" /> : <Copy className="size-4" />}
    </IconButton>
  );
}
