/**
 * Pages that connect to a host in each way that is known, by themselves or when somebody presses what they show. `at` is the address of a
 * host, for example `https://one.evil.test`.
 */
export const CONNECTING: Record<string, (at: string, host: string) => string> = {
  iframe: (at) => `<iframe src="${at}/" hidden></iframe>`,
  'iframe, not displayed': (at) => `<iframe src="${at}/" style="display:none"></iframe>`,
  'iframe, lazy': (at) => `<iframe loading="lazy" src="${at}/"></iframe>`,
  'iframe without a scheme': (_, host) => `<iframe src="//${host}/"></iframe>`,
  'iframe, upper case and broken over lines': (at) =>
    `<IFRAME\n SRC\n=\n"\t${at.replace('https', 'ht\ntps')}/"></IFRAME>`,
  'iframe, coded letters': (at) => `<iframe src="${at.replace('h', '&#104;').replace('://', '&colon;//')}/"></iframe>`,
  'iframe in srcdoc': (at) => `<iframe srcdoc="<iframe src='${at}/'></iframe>"></iframe>`,
  'iframe in srcdoc in srcdoc': (at) =>
    `<iframe srcdoc="<iframe srcdoc=&quot;<iframe src='${at}/'></iframe>&quot;></iframe>"></iframe>`,
  'iframe with credentials of a page': (at) => `<iframe credentialless allow="*" src="${at}/"></iframe>`,
  'iframe in foreignObject': (at) =>
    `<svg width="9" height="9"><foreignObject width="9" height="9"><iframe src="${at}/"></iframe></foreignObject></svg>`,
  'iframe of XHTML in foreignObject': (at) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="${at}/"/></body></foreignObject></svg>`,
  'iframe in MathML': (at) => `<math><mtext><iframe src="${at}/"></iframe></mtext></math>`,
  'iframe in annotation-xml': (at) =>
    `<math><annotation-xml encoding="text/html"><iframe src="${at}/"></iframe></annotation-xml></math>`,
  'iframe in a template': (at) => `<template><iframe src="${at}/"></iframe></template>`,
  'iframe in a shadow root': (at) =>
    `<div><template shadowrootmode="open"><iframe src="${at}/"></iframe></template></div>`,
  'iframe in noscript': (at) => `<noscript><iframe src="${at}/"></iframe></noscript>`,
  'iframe behind the end of a style': (at) =>
    `<style>a{}</style><svg><style><iframe src="${at}/"></iframe></style></svg>`,
  'iframe in mutating words': (at) =>
    `<math><mtext><table><mglyph><style><!--</style><iframe src="${at}/"></iframe>--></style></mglyph></table></mtext></math>`,
  'iframe in a mutating form': (at) =>
    `<form><math><mtext></form><form><mglyph><style></math><iframe src="${at}/"></iframe></style></mglyph></form></math></form>`,
  'iframe in an attribute of a mutating select': (at) =>
    `<svg></p><style><a id="</style><iframe src='${at}/'></iframe>"></a></style></svg>`,
  'iframe in deep nesting': (at) => `${'<div>'.repeat(600)}<svg><p><iframe src="${at}/"></iframe>`,
  'iframe after the page': (at) => `<p>x</p></body></html><iframe src="${at}/"></iframe>`,
  'iframe in a comment that ends early': (at) => `<!--><iframe src="${at}/"></iframe>-->`,
  'iframe in CDATA': (at) => `<svg><![CDATA[</svg><iframe src="${at}/"></iframe>]]></svg>`,
  frame: (at) => `<frameset><frame src="${at}/"></frameset>`,
  'frame in a head': (at) =>
    `<html><head><title>x</title></head><frameset rows="*,*"><frame src="${at}/"><frame></frameset></html>`,
  fencedframe: (at) => `<fencedframe src="${at}/"></fencedframe>`,
  portal: (at) => `<portal src="${at}/"></portal>`,
  object: (at) => `<object data="${at}/" type="text/html" width="9" height="9"></object>`,
  'object of a picture': (at) => `<object data="${at}/x.svg" type="image/svg+xml"></object>`,
  embed: (at) => `<embed src="${at}/" type="text/html">`,
  applet: (at) => `<applet code="x" codebase="${at}/"></applet>`,
  'link dns-prefetch': (at) => `<link rel="dns-prefetch" href="${at}">`,
  'link preconnect': (at) => `<link rel="preconnect" href="${at}" crossorigin>`,
  'link preconnect without a scheme': (_, host) => `<link rel="preconnect" href="//${host}">`,
  'link prefetch': (at) => `<link rel="prefetch" href="${at}/">`,
  'link prerender': (at) => `<link rel="prerender" href="${at}/">`,
  'link preload': (at) => `<link rel="preload" as="fetch" href="${at}/">`,
  'link modulepreload': (at) => `<link rel="modulepreload" href="${at}/x.js">`,
  'link stylesheet': (at) => `<link rel="stylesheet" href="${at}/x.css">`,
  'link icon': (at) => `<link rel="icon" href="${at}/x.png">`,
  'link manifest': (at) => `<link rel="manifest" href="${at}/x.json">`,
  'link in a body of SVG': (at) =>
    `<svg xmlns:h="http://www.w3.org/1999/xhtml"><h:link rel="preconnect" href="${at}"/><link rel="preconnect" href="${at}"/></svg>`,
  'meta refresh': (at) => `<meta http-equiv="refresh" content="0;url=${at}/">`,
  'meta dns-prefetch-control': (at) =>
    `<meta http-equiv="x-dns-prefetch-control" content="on"><a href="${at}/">look me up</a>`,
  'meta Link header': (at) => `<meta http-equiv="Link" content="<${at}>; rel=preconnect">`,
  base: (at) => `<base href="${at}/"><iframe src="x"></iframe><img src="x.png"><a href="y">y</a>`,
  'speculation rules': (at) =>
    `<script type="speculationrules">{"prefetch":[{"urls":["${at}/"],"eagerness":"immediate"}]}</script>`,
  script: (at) => `<script src="${at}/x.js"></script><script type="module">import "${at}/y.js"</script>`,
  img: (at) => `<img src="${at}/x.png"><img srcset="${at}/y.png 2x"><img lowsrc="${at}/z.png">`,
  picture: (at) => `<picture><source srcset="${at}/x.png"><img></picture>`,
  'srcset behind a data address': (at) => `<img srcset="data:image/png;base64,AA 1x, ${at}/y.png 2x">`,
  input: (at) => `<input type="image" src="${at}/x.png">`,
  video: (at) => `<video src="${at}/x.mp4" poster="${at}/x.png" autoplay><track default src="${at}/x.vtt"></video>`,
  audio: (at) => `<audio src="${at}/x.mp3" preload="auto"><source src="${at}/y.mp3"></audio>`,
  'background attribute': (at) =>
    `<body background="${at}/x.png"><table background="${at}/y.png"><tr><td>x</td></tr></table>`,
  'style element': (at) =>
    `<style>@import "${at}/x.css"; @font-face{font-family:f;src:url(${at}/f.woff2)} *{background:url(${at}/b.png);font-family:f;cursor:url(${at}/c.cur),auto}</style>x`,
  'style attribute': (at) =>
    `<p style="background:image-set('${at}/x.png' 1x);list-style:url(${at}/y.png);filter:url(${at}/z.svg#f);mask:url(${at}/m.svg#m);content:url(${at}/q.png)">x</p>`,
  'style with escapes': (at) => `<style>p{background:u\\72l(${at}/x.png)} @\\69mport url(${at}/y.css);</style><p>x</p>`,
  'style that registers': (at) => `<style>@namespace url(${at}/); @document url(${at}/){p{color:red}}</style><p>x</p>`,
  'svg image': (at) => `<svg><image href="${at}/x.png" width="9" height="9"/><image xlink:href="${at}/y.png"/></svg>`,
  'svg use': (at) => `<svg><use href="${at}/x.svg#a"/><use xlink:href="${at}/y.svg#a"/></svg>`,
  'svg filters and paints': (at) =>
    `<svg><filter id="f"><feImage href="${at}/x.png"/></filter><rect filter="url(#f)" fill="url(${at}/y.svg#p)" mask="url(${at}/z.svg#m)" clip-path="url(${at}/c.svg#c)" width="9" height="9"/></svg>`,
  'svg texts and paths': (at) =>
    `<svg><text><textPath href="${at}/x.svg#p">x</textPath><tref xlink:href="${at}/y.svg#t"/></text><path marker-end="url(${at}/m.svg#m)" d="M0 0L9 9"/></svg>`,
  'svg style sheet': (at) =>
    `<?xml-stylesheet href="${at}/x.css"?><svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>`,
  'svg entity': (at) => `<!DOCTYPE svg [<!ENTITY x SYSTEM "${at}/entity">]><svg><text>&x;</text></svg>`,
  'svg script': (at) => `<svg><script href="${at}/x.js"/></svg>`,
  'svg address that an animation sets': (at) =>
    `<svg><image width="9" height="9"><set attributeName="href" to="${at}/x.png"/></image><a><animate attributeName="xlink:href" values="${at}/" dur="1s" fill="freeze"/><text y="20">press</text></a></svg>`,
  'link, pressed': (at) => `<a href="${at}/">press</a>`,
  'link with a target, pressed': (at) => `<a href="${at}/" target="_top">press</a>`,
  'link to a new window, pressed': (at) => `<a href="${at}/" target="_blank" rel="opener">press</a>`,
  'link with a ping, pressed': (at) => `<a href="#x" ping="${at}/">press</a>`,
  'download, pressed': (at) => `<a download href="${at}/x.zip">press</a>`,
  'link to a page of data, pressed': (at) =>
    `<a href="data:text/html,%3Ciframe src='${at}/'%3E%3C/iframe%3E">press</a>`,
  'svg link, pressed': (at) => `<svg><a href="${at}/"><text y="20">press</text></a></svg>`,
  'svg link of an older kind, pressed': (at) =>
    `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><a xlink:href="${at}/"><text y="20">press</text></a></svg>`,
  'MathML link, pressed': (at) => `<math href="${at}/"><mtext href="${at}/">press</mtext></math>`,
  'area, pressed': (at) =>
    `<img usemap="#m" width="40" height="20" alt="press" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name="m"><area shape="default" href="${at}/"></map>`,
  'form, pressed': (at) => `<form action="${at}/"><button>press</button></form>`,
  'button with an address of its own, pressed': (at) =>
    `<form><button formaction="${at}/" formtarget="_blank">press</button></form>`,
  'form of a picture, pressed': (at) => `<form action="${at}/"><input type="image" alt="press" src="data:,"></form>`,
};
