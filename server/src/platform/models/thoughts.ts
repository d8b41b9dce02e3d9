const BEGIN = '<think>';
const END = '</think>';

/** A model's text without its thoughts between `<think>` and `</think>`. A thought without an end stays. */
export function withoutThoughts(text: string): string {
  const lower = text.toLowerCase();
  // Lower case may change the length; then the positions would be wrong.
  const searched = lower.length === text.length ? lower : text;
  let said = '';
  for (let at = 0; ; ) {
    const begin = searched.indexOf(BEGIN, at);
    const end = begin < 0 ? -1 : searched.indexOf(END, begin);
    if (end < 0) return said + text.slice(at);
    said += text.slice(at, begin);
    at = end + END.length;
  }
}
