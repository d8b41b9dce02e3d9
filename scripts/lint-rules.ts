import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { IMPORT_RULES, TESTS } from './import-rules.ts';

/** The parts of the syntax tree that these rules read. */
interface Node {
  type: string;
  name?: string;
  value?: unknown;
  importKind?: string;
  exportKind?: string;
  source?: Node | null;
  specifiers?: Node[];
  id?: Node;
  init?: Node | null;
  typeName?: Node;
  typeAnnotation?: Node | null;
  typeArguments?: { params: Node[] } | null;
}

interface Context {
  filename: string;
  report(finding: { node: Node; message: string }): void;
}

/** The nearest folder with the configuration; each test has its own. */
function rootOf(folder: string): string {
  return existsSync(join(folder, 'oxlint.config.ts')) || dirname(folder) === folder ? folder : rootOf(dirname(folder));
}

const pathInRepository = (file: string) => relative(rootOf(dirname(file)), file).replaceAll(sep, '/');

/** What an import names, in the notation of `import-rules.ts`. */
function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(dirname(from), specifier.replace(/\?.*$/, ''));
  const own = /^@atelier\/(?<name>contract|server|web)\/(?<path>.*?)(\.ts)?$/.exec(specifier)?.groups;
  if (own !== undefined) return `${own.name}/${own.name === 'web' ? 'app' : 'src'}/${own.path}.ts`;
  return specifier.startsWith('node:') ? specifier : `npm:${specifier}`;
}

const isOnlyTypes = ({ type, importKind, exportKind, specifiers = [] }: Node): boolean =>
  [importKind, exportKind].includes('type') ||
  type === 'TSImportType' ||
  (specifiers.length > 0 && specifiers.every((specifier) => isOnlyTypes(specifier)));

const importDirection = {
  create(context: Context) {
    const from = pathInRepository(context.filename);
    const check = (node: Node) => {
      if (typeof node.source?.value !== 'string') return;
      const to = targetOf(from, node.source.value);
      const broken = IMPORT_RULES.find(
        (rule) =>
          rule.from.test(from) &&
          rule.never.test(to) &&
          (rule.testsToo === true || !TESTS.test(from)) &&
          !(rule.exceptTypes === true && isOnlyTypes(node)) &&
          (rule.when?.(from, to) ?? true),
      );
      if (broken !== undefined) context.report({ node, message: broken.message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      TSImportType: check,
    };
  },
};

const FILES_MAX = 25;

const isProduction = (path: string) =>
  /^(contract\/src|server\/src|web\/app)\/.*\.tsx?$/.test(path) && !TESTS.test(path);

/** A folder with more files than one can survey; its first file reports it. */
const folderSize = {
  create: ({ filename, report }: Context) => ({
    Program(node: Node) {
      const folder = dirname(filename);
      const within = dirname(pathInRepository(filename));
      const files = readdirSync(folder).filter((name) => isProduction(`${within}/${name}`));
      if (files.length > FILES_MAX && files.sort()[0] === basename(filename))
        report({ node, message: `${within} holds ${files.length} files: at most ${FILES_MAX}, tests aside.` });
    },
  }),
};

/** `Record<string, …>`, also inside Readonly, Partial or Required. */
function isStringRecord(type: Node | null | undefined): boolean {
  if (type?.type !== 'TSTypeReference') return false;
  const [first] = type.typeArguments?.params ?? [];
  return type.typeName?.name === 'Record' ? first?.type === 'TSStringKeyword' : isStringRecord(first);
}

/** A plain object has `constructor` and `__proto__` in every table, so keys from outside must not be looked up in one. */
const noStringTable = {
  create: (context: Context) => ({
    VariableDeclarator(node: Node) {
      if (!isStringRecord(node.id?.typeAnnotation?.typeAnnotation) || node.init?.type !== 'ObjectExpression') return;
      context.report({
        node,
        message: 'Look up strings in a Map: a plain object also finds “constructor”. Or name the keys in the type.',
      });
    },
  }),
};

export default {
  meta: { name: 'atelier' },
  rules: { 'import-direction': importDirection, 'folder-size': folderSize, 'no-string-table': noStringTable },
};
