/** What a Markdown parser may take for the beginning or the end of something. */
const MARK = /[*_~[\]<>!`]|(?:[-+]|\d[.)])[ \t]/gu;
/** Parsing time grows with the square of adjacent marks: 700 of them took 0.15 s. */
const COST_MAX = 500_000;
const LENGTH_MAX = 200_000;

/**
 * Whether a text can be parsed as Markdown without a noticeable wait. Somebody may make a model repeat a text, so this is checked before
 * parsing: marks without an empty line or a new list item between them count by their square. Texts for people are far below the bound.
 */
export function isReadableMarkdown(markdown: string): boolean {
  if (markdown.length > LENGTH_MAX) return false;
  let cost = 0;
  let together = 0;
  const isCode = createCodeReader();
  for (const line of markdown.split(/\r\n|\r|\n/u)) {
    if (isCode(line)) continue;
    if (line.trim() === '' || /^ {0,3}[-*+] /u.test(line)) {
      cost += together ** 2;
      together = 0;
    }
    together += line.match(MARK)?.length ?? 0;
  }
  return cost + together ** 2 <= COST_MAX;
}

const FENCE = /^( {0,3})(?:(`{3,})[^`]*|(~{3,})(?:[^~].*)?)$/u;
/** Where a fence may or may not count: in a list item, in a quotation. */
const DOUBTFUL = /^[\s>*+\-\d.)]*(?:`{3}|~{3})/u;

/** What ends a fence, if it uses the same sign and is not shorter. */
const FENCE_END = /^( *)(`+|~+)[ \t]*$/u;

/** Decides line by line what is certainly fenced code, in which marks don't count. Once in doubt, nothing counts as code any more. */
function createCodeReader(): (line: string) => boolean {
  let doubt = false;
  let fence: { indent: string; marks: string } | null = null;
  return (line) => {
    if (fence !== null) {
      const { indent, marks } = fence;
      const [, before = '', end = ''] = FENCE_END.exec(line) ?? [];
      const isEnd = end.startsWith(marks) && (indent !== '' || before.length <= 3);
      // The fence may have ended with its list item, or not.
      doubt = indent !== '' && (isEnd ? before !== indent : line.trim() !== '' && !line.startsWith(indent));
      if (isEnd || doubt) fence = null;
      return !doubt;
    }
    if (doubt) return false;
    const [, indent = '', ticks, tildes] = FENCE.exec(line) ?? [];
    const marks = ticks ?? tildes;
    if (marks === undefined) doubt = DOUBTFUL.test(line);
    else fence = { indent, marks };
    return marks !== undefined;
  };
}
