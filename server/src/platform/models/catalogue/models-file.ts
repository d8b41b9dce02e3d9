import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { DOLLARS, type Price, readPrices } from './prices.ts';
import { BASE_URLS, locate, type Provider } from './providers.ts';
import { without } from './read-list.ts';

const abilities = z.strictObject({
  contextTokens: z.number().int().min(1_000).optional(),
  tools: z.boolean().optional(),
  sight: z.boolean().optional(),
  hearing: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  temperature: z.boolean().optional(),
});

const entry = z
  .strictObject({
    type: z.enum(['openai-compatible', 'openai', 'anthropic', 'google']).default('openai-compatible'),
    baseURL: z.url({ protocol: /^https?$/u }).optional(),
    apiKey: z.string().min(1).optional(),
    headers: z.record(z.string(), z.string()).default({}),
    /** A list offers only these; an object says more of some. */
    models: z.union([z.array(z.string().min(1).max(200)), z.record(z.string().min(1).max(200), abilities)]).optional(),
    onlyThese: z.boolean().optional(),
    disabled: z.boolean().default(false),
  })
  .refine((one) => one.type !== 'openai-compatible' || one.baseURL !== undefined, {
    path: ['baseURL'],
    message: 'an OpenAI-compatible server needs its address',
  });

const file = z.strictObject({
  providers: z.record(z.string(), z.unknown()),
  /** The model that answers for one that no provider has. */
  standIn: z.string().min(1).optional(),
  /** For each million tokens, by the model's id here. */
  prices: z.record(z.string(), z.unknown()).default({}),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/u, 'a currency has three capital letters, for example EUR')
    .default(DOLLARS),
});

const NAME = /^[a-zA-Z0-9._-]{1,40}$/u;
const VARIABLE = /\$\{(?<name>\w+)\}/gu;

export interface ModelsFile {
  providers: Provider[];
  standIn?: string | undefined;
  prices: ReadonlyMap<string, Price>;
  currency: string;
}

const NO_FILE: ModelsFile = { providers: [], prices: new Map(), currency: DOLLARS };

/**
 * The providers of MODELS_FILE; `${NAME}` stands for a variable of the environment. An entry that can’t be used is left out, and the log
 * says why; so is the whole file if it can’t be read.
 */
export function readModelsFile(
  path: string | undefined,
  variables: Readonly<Record<string, string | undefined>>,
  log: Log,
): ModelsFile {
  if (path === undefined) return NO_FILE;
  const read = readFile(path);
  if (typeof read === 'string') {
    log.info('models.file_unusable', { file: path, reason: read });
    return NO_FILE;
  }
  const providers = Object.entries(read.providers).flatMap(([name, value]) => {
    const made = toProvider(name, value, variables);
    if (typeof made !== 'string') return made === null ? [] : [made];
    log.info('models.provider_off', { provider: name.slice(0, 100), reason: made });
    return [];
  });
  return { providers, standIn: read.standIn, prices: readPrices(read.prices, log), currency: read.currency };
}

function readFile(path: string): z.infer<typeof file> | string {
  try {
    const parsed = file.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : reasonOf(parsed.error);
  } catch (error) {
    return error instanceof SyntaxError ? 'it is not valid JSON' : 'it can’t be read';
  }
}

const reasonOf = (error: z.ZodError): string =>
  error.issues
    .map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(': '))
    .join('; ');

/** The provider of an entry, null for one that is disabled, or why it can’t be used. */
function toProvider(
  name: string,
  value: unknown,
  variables: Readonly<Record<string, string | undefined>>,
): Provider | null | string {
  if (!NAME.test(name)) return 'a name has 1 to 40 letters, digits, dots, underscores or hyphens';
  if (typeof value === 'object' && value !== null && 'disabled' in value && value.disabled === true) return null;
  const missing = new Set<string>();
  const secrets: string[] = [];
  const parsed = entry.safeParse(
    filled(value, (variable) => {
      const value = variables[variable];
      if (value === undefined || value === '') missing.add(variable);
      else secrets.push(value);
      return value ?? '';
    }),
  );
  if (missing.size > 0) return `not set in the environment: ${[...missing].join(', ')}`;
  if (!parsed.success) return reasonOf(parsed.error);
  const { type, apiKey, headers, models = [], onlyThese } = parsed.data;
  const url = new URL(parsed.data.baseURL ?? (type === 'openai-compatible' ? '' : BASE_URLS[type]));
  if (url.username !== '' || url.password !== '') return 'put the password of the address into a header';
  const isList = Array.isArray(models);
  const { deployment, ...place } = locate(url, apiKey);
  return {
    name,
    origin: 'file',
    type,
    ...place,
    baseURL: place.baseURL.replace(/\/$/u, ''),
    host: url.host,
    headers: { ...place.headers, ...headers },
    secrets: [...secrets, ...(apiKey === undefined ? [] : [apiKey]), ...secretHeaders(headers)],
    named: new Map([
      ...deployment.map((id) => [id, {}] as const),
      ...(isList
        ? models.map((id) => [id, {}] as const)
        : Object.entries(models).map(([id, abilities]) => [id, without(abilities)] as const)),
    ]),
    onlyNamed: onlyThese ?? (isList && models.length > 0),
    assumed: [],
  };
}

const secretHeaders = (headers: Record<string, string>): string[] =>
  Object.entries(headers).flatMap(([name, text]) => (/auth|key|token|secret|cookie/iu.test(name) ? [text] : []));

/** The same value with the variables in its texts replaced. */
function filled(value: unknown, variable: (name: string) => string): unknown {
  if (typeof value === 'string') return value.replaceAll(VARIABLE, (_, name: string) => variable(name));
  if (Array.isArray(value)) return value.map((item) => filled(item, variable));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, variable)]));
}
