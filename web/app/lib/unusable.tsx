import { PRODUCT_NAME } from '@atelier/contract/product';
import { useEffect } from 'react';

/**
 * Runs inline before everything else, in the syntax that any browser reads: whether the browser has what came last of what the application
 * uses, and until the application runs, whether one of its scripts or style sheets could not be loaded.
 */
export const unusableScript = `if(!window.AbortSignal||!AbortSignal.any||!Promise.withResolvers||!window.CSS||!CSS.supports('color','light-dark(red,red)'))document.documentElement.setAttribute('data-old-browser','');addEventListener('error',window.scriptFailed=function(e){if(/^(SCRIPT|LINK)$/.test(e.target.tagName)&&e.target.as!=='font')document.documentElement.setAttribute('data-unloaded','')},true)`;

declare global {
  interface Window {
    scriptFailed?: (event: Event) => void;
  }
}

/** The README names the same versions. */
const OLD_BROWSER = `This browser is too old for ${PRODUCT_NAME}. Please update it: Chrome and Edge work from version 123 on, Firefox from 128, Safari from 17.5.`;

/** Why nothing on the page works, for as long as that is so. */
export function Unusable() {
  useEffect(() => {
    if (window.scriptFailed) removeEventListener('error', window.scriptFailed, true);
    delete document.documentElement.dataset.unloaded;
  }, []);
  return (
    <>
      <p role="alert" className="hidden bg-raised p-4 text-center old-browser:block">
        {OLD_BROWSER}
      </p>
      <p role="alert" className="hidden bg-raised p-4 text-center unloaded:block">
        This page could not be loaded completely. Check your connection, then reload it.
      </p>
    </>
  );
}
