/**
 * Runs inline before everything else. A key that belongs to an input method reaches none of our listeners, nor those of libraries: Enter takes
 * the word that is being composed and Escape drops it, and neither sends, saves or closes anything. 229: Safari ends the composition before
 * it reports the key.
 */
export const inputMethodScript = `addEventListener('keydown',e=>{if(e.isComposing||e.keyCode===229)e.stopImmediatePropagation()},true)`;
