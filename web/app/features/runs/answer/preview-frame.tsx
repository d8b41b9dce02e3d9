import { useLayoutEffect, useRef } from 'react';

/** Shows HTML or SVG from an answer in a frame with an origin of its own, without scripts, forms, network or a way to go elsewhere. */
export default function PreviewFrame({ code }: { code: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  // Before the browser goes on: a frame that is there already says so once.
  useLayoutEffect(() => {
    const hear = ({ source }: MessageEvent) => {
      const target = frame.current?.contentWindow;
      // It says that it is ready, and nothing else.
      if (target && source === target) target.postMessage({ html: code }, '*');
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [code]);
  return (
    <>
      <iframe
        key={code}
        ref={frame}
        title="Preview"
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        src="/frames/preview.html"
        className="block h-80 max-h-[70dvh] w-full resize-y border-b bg-white"
      />
      <p data-tools="" className="border-b px-4 py-1.5 text-muted text-xs">
        Shown without scripts and without network: pictures and styles from elsewhere are missing, and links lead
        nowhere.
      </p>
    </>
  );
}
