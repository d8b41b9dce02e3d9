import { Call } from '@atelier/contract/calls';
import { inBraces } from '../platform/http/open-api.ts';
import * as contracts from './contracts.ts';

/** Every schema that has a name: answers refer to it, and a generated client has it as a type. */
export const SHAPES: readonly object[] = Object.values(contracts);

/** Every call by its method and path. A test fails for a route that is missing here. */
export const OPERATIONS: ReadonlyMap<string, Call> = new Map(
  SHAPES.flatMap((module) => Object.values(module))
    .flatMap((exported: unknown) => (typeof exported === 'object' && exported !== null ? Object.values(exported) : []))
    .filter((one) => one instanceof Call)
    .map((call) => [`${call.method} ${inBraces(call.path)}`, call]),
);
