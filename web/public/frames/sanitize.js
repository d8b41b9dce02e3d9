// Takes out of a page whatever could connect: no policy stops a frame's address from being looked up, or a click on a link.
import DOMPurify from './purify.es.mjs';

/** Whose picture may be a `data:` address. A picture from elsewhere stays, without its address, as the gap that it is. */
const PICTURES = ['img', 'image', 'feimage', 'input', 'source', 'video', 'audio', 'track'];
const ADDRESSES = ['href', 'xlink:href', 'src', 'poster', 'background'];

const ALLOWED = {
  WHOLE_DOCUMENT: true,
  // Beyond the library's own list, what pages and drawings are made of; a frame without scripts doesn't suffer from any of it.
  ADD_TAGS: ['iframe', 'search', 'use', 'animate', 'set', 'foreignobject', 'semantics', 'annotation', 'rb', 'rtc'],
  ADD_ATTR: [
    'alink',
    'autofocus',
    'bordercolor',
    'compact',
    'contenteditable',
    'frame',
    'frameborder',
    'from',
    'hspace',
    'itemprop',
    'itemscope',
    'itemtype',
    'link',
    'rules',
    'scrollamount',
    'scrolldelay',
    'text',
    'to',
    'vlink',
    'vspace',
    'xml:lang',
  ],
  FORBID_ATTR: ['action', 'cite', 'srcset', 'ping', 'target'],
  ADD_DATA_URI_TAGS: PICTURES,
  HTML_INTEGRATION_POINTS: { 'annotation-xml': true, foreignobject: true },
  CUSTOM_ELEMENT_HANDLING: { tagNameCheck: /^[a-z]/ },
  // Nothing in the frame reads names as properties, and styles use them.
  SANITIZE_DOM: false,
};

/** Comments, strings and addresses of a style sheet; what is left over are its rules. */
const STYLE_PARTS =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\])*'?|url\([^"')]*\)|<!--|<(?=[/\w!])/gi;

/** A style sheet of the same meaning without anything that looks like a tag, for which the library would drop it. */
const withoutTags = (css) =>
  css.replace(STYLE_PARTS, (part) => {
    if (part.startsWith('/*') || part === '<!--') return ' ';
    if (part === '<') return '< ';
    return part.replaceAll('<', part.startsWith('u') || part.startsWith('U') ? '%3C' : '\\3c ');
  });

const escaped = (address) => address.replaceAll('<', '%3C').replaceAll('>', '%3E');

DOMPurify.addHook('beforeSanitizeElements', (node) => {
  if (node.nodeName.toLowerCase() === 'style') node.textContent = withoutTags(node.textContent);
  // An empty frame keeps its place on the page.
  else if (node.nodeName === 'IFRAME') node.textContent = '';
  // There are no scripts, so this is shown.
  else if (node.nodeName === 'NOSCRIPT') node.replaceWith(...node.childNodes);
});

DOMPurify.addHook('uponSanitizeAttribute', (node, attribute) => {
  const { attrName: name, attrValue: value } = attribute;
  if (!ADDRESSES.includes(name) || value.startsWith('#')) return;
  const isPicture = PICTURES.includes(node.nodeName.toLowerCase());
  if (isPicture && /^data:(?:image|audio|video)\//i.test(value)) attribute.forceKeepAttr = true;
  else if (name === 'xlink:href' || name === 'href' || (name === 'src' && isPicture)) {
    // A link looks like one, says where it would go, and goes nowhere.
    if (node.nodeName.toLowerCase() === 'a' && !node.hasAttribute('title')) node.setAttribute('title', escaped(value));
    attribute.attrValue = isPicture ? 'data:,' : '#elsewhere';
  } else attribute.keepAttr = false;
});

/** The page without what navigates, connects or runs. Its styles, drawings and `data:` pictures stay. */
export const sanitize = (html) => DOMPurify.sanitize(html, ALLOWED);
