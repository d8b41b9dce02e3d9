import type { OpenAiError } from '@atelier/contract/endpoints/openai';
import type { ErrorCode } from '@atelier/contract/errors';

/** OpenAI's words for our errors: type and code. */
const WORDS: Record<ErrorCode, readonly [type: string, code: string]> = {
  invalid_input: ['invalid_request_error', 'invalid_value'],
  signed_out: ['invalid_request_error', 'invalid_api_key'],
  limit_reached: ['insufficient_quota', 'insufficient_quota'],
  pro_required: ['permission_error', 'pro_required'],
  confirmation_needed: ['permission_error', 'insufficient_permissions'],
  forbidden: ['permission_error', 'insufficient_permissions'],
  not_found: ['invalid_request_error', 'not_found'],
  conflict: ['invalid_request_error', 'conflict'],
  too_large: ['invalid_request_error', 'request_too_large'],
  unsupported_type: ['invalid_request_error', 'unsupported_type'],
  too_many_requests: ['rate_limit_error', 'rate_limit_exceeded'],
  internal: ['server_error', 'server_error'],
  provider_failed: ['server_error', 'provider_failed'],
  unavailable: ['server_error', 'unavailable'],
};

/** An error as clients of OpenAI expect it. */
export function toOpenAiError(code: ErrorCode, message: string, field?: string): OpenAiError {
  const [type, word] = WORDS[code];
  const missing = code === 'not_found' && field === 'model';
  return { error: { message, type, param: field ?? null, code: missing ? 'model_not_found' : word } };
}
