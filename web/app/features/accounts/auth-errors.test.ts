import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/http.ts';
import { loginRefusal, signupRefusal } from './auth-errors.ts';

describe('what sign-up says', () => {
  it.each(['USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL', 'FAILED_TO_CREATE_USER'])(
    '%s is the sentence of the email',
    (code) => {
      expect(signupRefusal(new ApiError(422, code, 'x'))).toBe(
        'This email is already in use. Please log in or use a different email.',
      );
    },
  );
  it('anything else is prefixed', () => {
    expect(signupRefusal(new ApiError(400, 'PASSWORD_TOO_SHORT', 'Password too short'))).toBe(
      'Signup failed: Password too short',
    );
  });
});

describe('what login says', () => {
  it("is the provider's message", () => {
    expect(loginRefusal(new ApiError(401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password'))).toBe(
      'Invalid email or password',
    );
  });
  it.each(['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'])(
    '%s is a sentence that leads on',
    (code) => {
      expect(loginRefusal(new ApiError(401, code, 'Invalid two factor cookie'))).toBe(
        'This sign-in has ended. Start again.',
      );
    },
  );
  it('names the wait', () => {
    expect(loginRefusal(new ApiError(429, 'too_many_requests', 'x', { retryAfter: 6.2 }))).toBe(
      'Too many attempts. Please wait 7 seconds and try again.',
    );
  });
});
