interface Language {
  name: string;
  /** Of a downloaded file. */
  ending: string;
}

const known = (ending: string, name: string, ...others: string[]): [string, Language][] =>
  [ending, name.toLowerCase(), ...others].map((key) => [key, { name, ending }]);

const LANGUAGES = new Map<string, Language>([
  ...known('sh', 'Shell', 'bash', 'zsh', 'console'),
  ...known('c', 'C'),
  ...known('cpp', 'C++', 'c++'),
  ...known('cs', 'C#', 'csharp'),
  ...known('css', 'CSS'),
  ...known('csv', 'CSV'),
  ...known('diff', 'Diff', 'patch'),
  ...known('go', 'Go', 'golang'),
  ...known('html', 'HTML', 'htm'),
  ...known('java', 'Java'),
  ...known('js', 'JavaScript', 'mjs', 'cjs'),
  ...known('json', 'JSON'),
  ...known('jsx', 'JSX'),
  ...known('kt', 'Kotlin'),
  ...known('md', 'Markdown'),
  ...known('mmd', 'Mermaid'),
  ...known('php', 'PHP'),
  ...known('ps1', 'PowerShell'),
  ...known('py', 'Python', 'python3'),
  ...known('rb', 'Ruby'),
  ...known('rs', 'Rust'),
  ...known('sql', 'SQL'),
  ...known('svg', 'SVG'),
  ...known('swift', 'Swift'),
  ...known('tex', 'TeX', 'latex'),
  ...known('toml', 'TOML'),
  ...known('ts', 'TypeScript'),
  ...known('tsx', 'TSX'),
  ...known('xml', 'XML'),
  ...known('yaml', 'YAML', 'yml'),
]);

/** A code block's language as people write it, and the ending of its file. */
export const languageOf = (word: string): Language =>
  LANGUAGES.get(word.toLowerCase()) ?? { name: word === '' ? 'Text' : word.slice(0, 40), ending: 'txt' };

/** Whether a browser could show the code as a page or a picture. */
export const isShowable = (word: string, code: string): boolean =>
  /^(?:x?html?|svg)$/i.test(word) || (/^xml$/i.test(word) && /<svg[\s>]/i.test(code));
