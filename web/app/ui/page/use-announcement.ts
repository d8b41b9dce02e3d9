import { useEffect, useState } from 'react';

/** Screen readers read an announcement at once; it is removed afterwards, so that nobody meets it twice. In milliseconds. */
const ANNOUNCED_FOR = 2_000;

/** A text that is announced for a moment; empty otherwise. */
export function useAnnouncement(): [text: string, announce: (text: string) => void] {
  const [text, announce] = useState('');
  useEffect(() => {
    if (text === '') return;
    const timer = setTimeout(() => announce(''), ANNOUNCED_FOR);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, announce];
}
