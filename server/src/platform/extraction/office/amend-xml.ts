import { type Handler, Parser } from 'htmlparser2';

/** Puts markup in place of the tag or text that is being read, or of all since an earlier position. */
export type Replace = (markup: string, from?: number) => void;

/** Rewrites some of an XML text and keeps the rest as it is. The listener is given where the tag or text begins and ends, too. */
export function amendXml(
  xml: string,
  listen: (replace: Replace, position: () => [from: number, to: number]) => Partial<Handler>,
): string {
  const pieces: string[] = [];
  let kept = 0;
  const replace: Replace = (markup, from = parser.startIndex) => {
    pieces.push(xml.slice(kept, from), markup);
    kept = parser.endIndex + 1;
  };
  const parser: Parser = new Parser(
    listen(replace, () => [parser.startIndex, parser.endIndex + 1]),
    { xmlMode: true },
  );
  parser.end(xml);
  return pieces.join('') + xml.slice(kept);
}

/** A text as XML writes it. */
export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
