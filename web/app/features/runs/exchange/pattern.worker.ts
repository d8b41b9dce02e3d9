// A stranger's pattern can take forever, so it is tried here and the page ends the worker that is late.
self.onmessage = ({ data: { pattern, text } }: MessageEvent<{ pattern: string; text: string }>) => {
  for (const flags of ['u', '']) {
    try {
      return self.postMessage(new RegExp(pattern, flags).test(text));
    } catch {
      // No pattern with this flag.
    }
  }
  return self.postMessage(true);
};
