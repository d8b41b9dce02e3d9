/** Who may import what, read by `lint-rules.ts`. ARCHITECTURE.md explains it. */
export interface ImportRule {
  /** The importing file, as its path in the repository. */
  from: RegExp;
  /** What it must not import: a path in the repository, `npm:` and a package, or `node:` and a module. */
  never: RegExp;
  /** Limits the rule to some pairs of the two. */
  when?: (from: string, to: string) => boolean;
  /** Types may be imported anyway. */
  exceptTypes?: true;
  /** Applies to tests too. */
  testsToo?: true;
  message: string;
}

export const TESTS = /\.test\.tsx?$|^server\/src\/testing\/|^e2e\//;

/**
 * The server's features that others call: each may call those after it. A feature that is not listed is above all of these: it may call
 * them, and nobody calls it. Tables may name each other freely.
 */
const ORDER =
  'removal explore forks runs attachments sessions files agents tools facts memory mcp billing contact budgets ledger accounts settings providers'.split(
    ' ',
  );

const featureOf = (path: string) => /^[^:]+\/features\/(?<name>[^/]+)\//.exec(path)?.groups?.name ?? '';
const otherFeature = (from: string, to: string) => featureOf(from) !== featureOf(to);
const upwards = (from: string, to: string) =>
  otherFeature(from, to) && ORDER.indexOf(featureOf(from)) >= ORDER.indexOf(featureOf(to));

const SERVER_ORDER = 'main → app → features → access → platform: nothing imports upwards.';
const WEB_ORDER = 'routes → pages → features → ui, lib: nothing imports upwards';
const WEB_NOT_SERVER = 'The web imports the contract only; of the server at most types of *.routes.';

const EVERYWHERE: ImportRule[] = [
  {
    from: /./,
    never: /^[^:]+[/.](index|utils?|misc|helpers?|common|manager)(\.[a-z-]+)*$/,
    testsToo: true,
    message: 'No barrels, utils, misc, helpers, common or manager: name the file by feature and role.',
  },
  {
    // What a browser loads as it is, is JavaScript.
    from: /^(?!web\/public\/)/,
    never: /^(?!.*\.(tsx?|mjs|css|json|svg|webp)$)[^:]+$/,
    testsToo: true,
    message: 'Relative imports end in .ts or .tsx.',
  },
  {
    from: /^(contract|server|web)\//,
    never: new RegExp(`${TESTS.source}|^npm:vitest(/|$)`),
    message: 'Production code does not import test code.',
  },
  { from: /^contract\/src\//, never: /^(?!contract\/src\/|npm:zod(\/|$))/, message: 'The contract imports zod only.' },
];

const SERVER: ImportRule[] = [
  { from: /^server\//, never: /^web\//, testsToo: true, message: 'The server never imports the web.' },
  {
    from: /^server\/src\/(?!platform\/)/,
    never: /^npm:(?!(hono|@hono\/node-server|zod|uuid|drizzle-(orm|kit)|@?better-auth)(\/|$))/,
    message: 'Only platform touches SDKs.',
  },
  {
    from: /^server\/src\/(?!platform\/|features\/accounts\/)/,
    never: /^npm:@?better-auth(\/|$)/,
    message: 'Only accounts and platform touch better-auth.',
  },
  {
    from: /^server\/src\/(?!platform\/|features\/.*\.(service|queries|table)\.ts$)/,
    never: /^npm:drizzle-/,
    message: 'Only *.service, *.queries and *.table touch the database.',
  },
  {
    from: /^server\/src\/platform\//,
    never: /^server\/src\/(features\/|(access|app|start-server|main)\.ts$)/,
    message: 'platform imports no features, access or app.',
  },
  {
    from: /^server\/src\/access\.ts$/,
    never: /^server\/src\/(features\/|(app|start-server|main)\.ts$)/,
    message: 'access imports platform only.',
  },
  { from: /^server\/src\/features\//, never: /^server\/src\/(app|start-server|main)\.ts$/, message: SERVER_ORDER },
  { from: /^server\/src\/[^/]+$/, never: /^server\/src\/main\.ts$/, message: SERVER_ORDER },
  {
    from: /^server\/src\/features\/.*\.(queries|table)\.ts$/,
    never: /^server\/src\/features\/(?!.*\.(service|table)\.ts$)/,
    when: otherFeature,
    message: 'Of another feature, a *.table or *.queries may import the *.table only (and call the *.service).',
  },
  {
    from: /^server\/src\/features\//,
    never: /^server\/src\/features\/(?!.*\.(service|table)\.ts$)/,
    when: otherFeature,
    message: 'Of another feature, call the *.service only (and name the rows of its *.table as types).',
  },
  {
    from: /^server\/src\/features\/(?!.*\.(queries|table)\.ts$)/,
    never: /\.table\.ts$/,
    when: otherFeature,
    exceptTypes: true,
    message: "Another feature's table is for *.table and *.queries only (elsewhere as a type).",
  },
  {
    from: /^server\/src\/features\//,
    never: /^server\/src\/features\/(?!.*\.table\.ts$)/,
    when: upwards,
    message: 'Features form no circle: each calls those after it in ORDER, see scripts/import-rules.ts.',
  },
];

const WEB: ImportRule[] = [
  { from: /^web\//, never: /^server\/(?!src\/.*\.routes\.ts$)/, testsToo: true, message: WEB_NOT_SERVER },
  { from: /^web\//, never: /^server\//, exceptTypes: true, testsToo: true, message: WEB_NOT_SERVER },
  {
    from: /^web\/app\/ui\//,
    never: /^(contract|server)\/|^npm:(@tanstack\/|better-auth)|^web\/app\/(?!ui\/)/,
    message: 'ui knows no data and no product: no contract, lib, features or pages.',
  },
  { from: /^web\/app\/lib\//, never: /^web\/app\/(pages|features)\//, message: `${WEB_ORDER}.` },
  {
    from: /^web\/app\/features\//,
    never: /^web\/app\/features\//,
    when: otherFeature,
    message: "Web features don't import each other: pages compose them.",
  },
  { from: /^web\/app\/features\//, never: /^web\/app\/pages\//, message: `${WEB_ORDER}.` },
  {
    from: /^web\/app\/pages\//,
    never: /^web\/app\/pages\/[^/]+$/,
    message: `${WEB_ORDER}, and no page another; what a page fetches later lies in its own folder.`,
  },
  { from: /^web\/app\/[^/]+\//, never: /^web\/app\/(root|routes)\.tsx?$/, message: `${WEB_ORDER}.` },
];

export const IMPORT_RULES = [...EVERYWHERE, ...SERVER, ...WEB];
