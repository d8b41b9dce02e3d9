/** Splits off half of a surrogate pair at the end, and removes what PostgreSQL can't store. */
export function splitWhole(text: string): { whole: string; half: string } {
  const last = text.charCodeAt(text.length - 1);
  const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
  return { whole: text.slice(0, cut).replaceAll('\0', '').toWellFormed(), half: text.slice(cut) };
}
