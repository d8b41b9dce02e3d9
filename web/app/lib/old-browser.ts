import { PRODUCT_NAME } from '@atelier/contract/product';

/** Runs before everything else, in the syntax that any browser reads: whether it has what came last of what the application uses. */
export const oldBrowserScript = `if(!window.AbortSignal||!AbortSignal.any||!Promise.withResolvers||!window.CSS||!CSS.supports('color','light-dark(red,red)'))document.documentElement.setAttribute('data-old-browser','')`;

/** The README names the same versions. */
export const OLD_BROWSER = `This browser is too old for ${PRODUCT_NAME}. Please update it: Chrome and Edge work from version 123 on, Firefox from 128, Safari from 17.5.`;
