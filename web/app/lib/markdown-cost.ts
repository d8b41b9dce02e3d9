/** What a parser of Markdown may take for the beginning or the end of something. */
const MARK = /[*_~[\]<>!`]|(?:[-+]|\d[.)])[ \t]/gu;
/** The parser's time grows with the square of the marks that stand together: 700 of them took 0.15 s. */
const COST_MAX = 500_000;
const LENGTH_MAX = 200_000;

/**
 * Whether a text can be read as Markdown without anybody waiting for it. The author of a text may have a model repeat it, so this is
 * known before the parser begins: marks that stand together, without an empty line or a new entry of a list between them, count with
 * their square. No text that people read comes near the bound.
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
/** Where a fence may be meant, or may mean nothing: in an entry of a list, in a quotation, in HTML. */
const DOUBTFUL = /^(?:[\s>*+\-\d.)]*(?:`{3}|~{3})| {0,3}<)/u;

/** What ends a fence, if it is of the same sign and no shorter. */
const FENCE_END = /^( *)(`+|~+)[ \t]*$/u;

/** Tells line by line what stands in fenced code for sure, in which no mark counts. Once that is in doubt, nothing does any more. */
function createCodeReader(): (line: string) => boolean {
  let doubt = false;
  let fence: { indent: string; marks: string } | null = null;
  return (line) => {
    if (fence !== null) {
      const { indent, marks } = fence;
      const [, before = '', end = ''] = FENCE_END.exec(line) ?? [];
      const isEnd = end.startsWith(marks) && (indent !== '' || before.length <= 3);
      // The entry of a list that the fence stands in may have ended with it, or not.
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
