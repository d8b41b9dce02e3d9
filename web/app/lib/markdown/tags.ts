import type { Nodes, Parent, PhrasingContent } from 'mdast';
import type { Extension as FromMarkdown } from 'mdast-util-from-markdown';

/** What stands between two tags that Markdown has no marks for. */
export interface Tagged extends Parent {
  type: 'tagged';
  tag: 'sub' | 'sup' | 'kbd';
  children: PhrasingContent[];
}

declare module 'mdast' {
  interface RootContentMap {
    tagged: Tagged;
  }
  interface PhrasingContentMap {
    tagged: Tagged;
  }
}

/** Without attributes: these tags carry nothing but their name. */
const TAG = /^<(?<end>\/?)(?<name>br|sub|sup|kbd)[ \t]*(?<alone>\/?)>$/iu;

/** Makes line breaks and `Tagged` of these tags. Other HTML, and tags without their counterpart beside them, stay text. */
export const tagsFromMarkdown: FromMarkdown = {
  transforms: [
    (tree) => {
      tagIn(tree);
    },
  ],
};

function tagIn(node: Nodes): void {
  if (!('children' in node)) return;
  for (const child of node.children) tagIn(child);
  // HTML begins no blocks, so it stands only where texts do.
  if (node.children.some(({ type }) => type === 'html')) node.children = tagged(node.children as PhrasingContent[]);
}

function tagged(children: readonly PhrasingContent[]): PhrasingContent[] {
  const done: PhrasingContent[] = [];
  const open: { tag: string; at: number }[] = [];
  for (const child of children) {
    const { end, name, alone } = (child.type === 'html' && TAG.exec(child.value)?.groups) || {};
    const tag = name?.toLowerCase();
    if (tag === 'br') done.push({ type: 'break' });
    else if (tag !== undefined && end !== '' && alone === '') close(tag as Tagged['tag'], child);
    else {
      if (tag !== undefined && alone === '') open.push({ tag, at: done.length });
      done.push(child);
    }
  }
  return done;

  function close(tag: Tagged['tag'], child: PhrasingContent): void {
    const last = open.findLastIndex((one) => one.tag === tag);
    const begin = open[last];
    if (begin === undefined) {
      done.push(child);
      return;
    }
    open.length = last;
    const [, ...inside] = done.splice(begin.at);
    done.push({ type: 'tagged', tag, children: inside });
  }
}
