import { useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { Check, Copy } from './icons/lucide.ts';
import { toast } from './overlay/toast.tsx';

/** Copies a text and returns whether it could: without https a browser has no clipboard, and the person reads that it failed. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast.error('The browser did not allow copying. Select the text and copy it by hand.');
    return false;
  }
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
