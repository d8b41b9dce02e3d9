import { bodyLimit } from 'hono/body-limit';
import { validator } from 'hono/validator';
import type { z } from 'zod';
import { AppError } from '../errors.ts';

/** Validates one part of the request with a contract schema; 400 with the field's name when it fails. */
export const validate = (target: 'json' | 'query', schema: z.ZodType) =>
  validator(target, (value) => {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const issue = error.issues[0];
    const field = issue?.path.map(String).join('.');
    throw new AppError('invalid_input', issue?.message ?? 'The request is not valid.', field ? { field } : {});
  });

/** The largest JSON body: a message of 32,000 characters, each with its longest escape, and some room. */
export const JSON_BODY_BYTES = 256 * 1024;

/** Programs send the whole conversation each time. */
export const PROGRAM_BODY_BYTES = 2 * 1024 * 1024;

/** Refuses a body over `maxBytes` with 413 and a sentence that names the limit. */
export const limitBody = (maxBytes: number, hint = '') =>
  bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new AppError('too_large', `The request is larger than ${Math.floor(maxBytes / 1024)} KB.${hint}`);
    },
  });
