import { Parser } from 'htmlparser2';
import { Unreadable } from './unreadable.ts';

/** As deep as browsers go. The parsers of documents look at every open element for each new one, so a deeper one takes minutes. */
const DEPTH_MAX = 500;

/** Looks at markup that comes in pieces, before anything builds a tree of it. Throws Unreadable as soon as it is nested too deeply. */
export function watchNesting(language: 'html' | 'xml'): (piece: string) => void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentagname() {
        depth += 1;
        if (depth > DEPTH_MAX) throw new Unreadable(`This document is nested deeper than ${DEPTH_MAX} levels.`);
      },
      onclosetag: () => void (depth -= 1),
    },
    { xmlMode: language === 'xml', decodeEntities: false },
  );
  return (piece) => parser.write(piece);
}
