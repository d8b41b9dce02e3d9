type Child = Node | string | number | boolean | null | undefined | Child[];
interface Props {
  children?: Child;
  [name: string]: unknown;
}

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';
const DRAWN = new Set(['svg', 'rect', 'path']);
/** Attributes that React calls by other names. */
const ATTRIBUTES = new Map([
  ['className', 'class'],
  ['fillRule', 'fill-rule'],
]);

/** Makes elements of JSX at once, in React's place: for components without state, before React has loaded. */
export function jsx(type: string | ((props: Props) => Child), props: Props): Child {
  if (typeof type === 'function') return type(props);
  const { children, ...attributes } = props;
  const element = document.createElementNS(DRAWN.has(type) ? SVG : HTML, type);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(ATTRIBUTES.get(name) ?? name, String(value));
  }
  element.append(...nodesOf(children));
  return element;
}

export const jsxs = jsx;
export const Fragment = ({ children }: Props): Child => children;

/** What is shown of children: as in React, no `null` and no boolean. */
export function nodesOf(children: Child): (Node | string)[] {
  if (Array.isArray(children)) return children.flatMap(nodesOf);
  if (children === null || children === undefined || typeof children === 'boolean') return [];
  return [typeof children === 'number' ? String(children) : children];
}
