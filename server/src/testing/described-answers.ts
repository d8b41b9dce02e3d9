import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Json = ReturnType<typeof JSON.parse>;

/** An answer to compare with the API description; `body` where it was read as JSON. */
export interface Answered {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  body?: unknown;
}

/** Throws when an answer is not what the API description says: its status, its headers, its media type, its body. */
type AnswerCheck = (answered: Answered) => void;

/** One for each description in this worker: files share it, so that each schema is compiled once, when it is first needed. */
const checks = new Map<string, AnswerCheck>();

/** The check against one description; `key` says which. */
export async function answerCheck(key: string, describe: () => Json): Promise<AnswerCheck> {
  const check = checks.get(key) ?? createCheck(await describe());
  checks.set(key, check);
  return check;
}

function createCheck(spec: Json): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, addUsedSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(spec, 'api');
  const compiled = new Map<string, ValidateFunction>();
  const at = (pointer: string[]): ValidateFunction => {
    const ref = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref });
    compiled.set(ref, validate);
    return validate;
  };
  const routes = routesOf(spec);
  return ({ method, path, status, headers, body }) => {
    const [pathname = ''] = path.split('?');
    const route = routes.find(
      ({ pattern, methods }) => methods.includes(method.toLowerCase()) && pattern.test(pathname),
    );
    if (route === undefined) return;
    const operation = spec.paths[route.path][method.toLowerCase()];
    const what = `${method} ${route.path} answered ${status}`;
    const response = operation.responses[status];
    if (response === undefined) throw new Error(`${what}, which the API description does not name`);
    for (const [name, header] of Object.entries<Json>(response.headers ?? {})) {
      const { required, schema } =
        header.$ref === undefined ? header : spec.components.headers[header.$ref.split('/').at(-1)];
      const value = headers.get(name);
      const wrong =
        value === null
          ? required
          : (schema.const ?? value) !== value || !new RegExp(schema.pattern ?? '', 'u').test(value);
      if (wrong) throw new Error(`${what} with the header ${name}: ${value}`);
    }
    const types = Object.keys(response.content ?? {});
    const sent = headers.get('content-type')?.split(';')[0];
    const type = types.find((one) => one === sent || (one === '*/*' && sent !== undefined));
    if (type === undefined && (sent !== undefined || types.length > 0)) {
      throw new Error(`${what} with ${sent} instead of ${types.join(' or ')}`);
    }
    if (type !== 'application/json' || body === undefined) return;
    const place = ['paths', route.path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
    const validate = at(place);
    if (!validate(body)) throw new Error(`${what} with a body that differs: ${ajv.errorsText(validate.errors)}`);
  };
}

/** Paths with fewer parameters first, as the server finds them. */
const routesOf = (spec: Json) =>
  Object.entries<Json>(spec.paths)
    .map(([path, methods]) => ({
      path,
      methods: Object.keys(methods),
      parameters: path.split('{').length,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
    }))
    .toSorted((a, b) => a.parameters - b.parameters);
