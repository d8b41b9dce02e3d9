import { describe, expect, test, vi } from 'vitest';
import { readError } from '../../lib/http.ts';
import { runFailure } from './run-failure.ts';

const refusal = (status: number, body?: unknown) => runFailure(readError(status, body, new Headers())).message;
const ours = (code: string, message: string) => ({ error: { code, message } });

describe('a run that did not start', () => {
  test('says why where the server says it', () => {
    expect(refusal(500, ours('internal', 'Something broke.'))).toBe('Failed to run agent task: Something broke.');
    expect(refusal(502, ours('provider_failed', 'No model.'))).toBe('Failed to run agent task: No model.');
    expect(refusal(413)).toContain('Failed to run agent task: A proxy in front of this server');
  });

  test('leaves technical words to the console', () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    for (const body of [undefined, '<html>', { data: 1 }]) {
      expect(refusal(502, body)).toBe('Failed to run agent task. See console for details.');
    }
    expect(runFailure(new TypeError('x is undefined')).message).toBe(
      'Failed to run agent task. See console for details.',
    );
    expect(logged).toHaveBeenCalledTimes(4);
    logged.mockRestore();
  });

  test('keeps the sentence of a limit', () => {
    expect(refusal(402, ours('limit_reached', 'Limit.'))).toBe('Limit.');
    expect(refusal(429, ours('too_many_requests', 'Slow.'))).toBe('Slow.');
  });
});
