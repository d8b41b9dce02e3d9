// Draws the diagrams of answers. The frame has an origin of its own and no network beyond our scripts, so what a diagram's text makes
// Mermaid do stays in here; the page gets a picture.
const version = new URLSearchParams(location.search).get('v') ?? '';

/** What a diagram's own settings must not change. */
const LOCKED = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'htmlLabels',
  'flowchart',
  'theme',
  'themeCSS',
  'themeVariables',
  'fontFamily',
  'altFontFamily',
  'dompurifyConfig',
  'forceLegacyMathML',
  'legacyMathML',
];

const COLOURS = {
  light: {
    background: '#fffdf8',
    primaryColor: '#f4ebdd',
    primaryTextColor: '#29221b',
    primaryBorderColor: '#a8967c',
    secondaryColor: '#e3ebe3',
    tertiaryColor: '#f7f2e9',
    lineColor: '#6a5d4e',
    textColor: '#29221b',
  },
  dark: {
    background: '#211d19',
    primaryColor: '#3a3129',
    primaryTextColor: '#f1e9dd',
    primaryBorderColor: '#8d7d69',
    secondaryColor: '#2f3a33',
    tertiaryColor: '#2b2620',
    lineColor: '#b9a993',
    textColor: '#f1e9dd',
  },
};

const loading = /^[\d.]{1,20}$/.test(version)
  ? import(`/assets/mermaid-${version}/mermaid.esm.min.mjs`)
  : Promise.reject(new Error('no version'));
let drawn = 0;

async function draw({ source, scheme }) {
  const { default: mermaid } = await loading;
  const isDark = scheme === 'dark';
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    suppressErrorRendering: true,
    maxTextSize: 20_000,
    maxEdges: 300,
    // The picture can't use the page's own letters.
    fontFamily: 'sans-serif',
    theme: 'base',
    themeVariables: { ...COLOURS[isDark ? 'dark' : 'light'], darkMode: isDark, fontFamily: 'sans-serif' },
    secure: LOCKED,
  });
  drawn += 1;
  const { svg } = await mermaid.render(`diagram-${drawn}`, source);
  return asPicture(svg);
}

/** A picture of its own size: the words for a page would have the width of whatever is around them. */
function asPicture(text) {
  const svg = new DOMParser().parseFromString(text, 'text/html').querySelector('svg');
  if (svg === null) throw new Error('no picture');
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0)) throw new Error('an empty picture');
  svg.setAttribute('width', String(Math.ceil(width)));
  svg.setAttribute('height', String(Math.ceil(height)));
  svg.style.removeProperty('max-width');
  return { svg: new XMLSerializer().serializeToString(svg), width: Math.ceil(width), height: Math.ceil(height) };
}

addEventListener('message', async ({ source: page, data }) => {
  if (page !== parent || typeof data?.source !== 'string') return;
  const answer = await draw(data).catch((error) => ({ problem: String(error?.message ?? error).slice(0, 500) }));
  document.body.replaceChildren();
  parent.postMessage({ id: data.id, ...answer }, '*');
});
// A missing part is said with the first diagram.
loading.catch(() => {}).then(() => parent.postMessage({ ready: true }, '*'));
