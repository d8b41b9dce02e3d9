import { expect, test } from 'vitest';
import { ApiError } from '../http.ts';
import { asOwner, ownerQuestion } from './as-owner.ts';

const refusal = new ApiError(403, 'confirmation_needed', 'Please confirm first that it is you.');

/** A call that is refused `times` times. */
function refused(times: number) {
  let left = times;
  const calls = { sent: 0 };
  const call = async () => {
    calls.sent += 1;
    left -= 1;
    if (left >= 0) throw refusal;
    return 'done';
  };
  return { calls, call };
}

const asked = () => expect.poll(() => ownerQuestion.read()).not.toBeNull();

test('goes on by itself after the proof, and asks again for one that ran out meanwhile', async () => {
  const { calls, call } = refused(2);
  const result = asOwner(call);
  for (const sent of [1, 2]) {
    await asked();
    expect(calls.sent).toBe(sent);
    ownerQuestion.read()?.proved();
    expect(ownerQuestion.read()).toBeNull();
  }
  expect(await result).toBe('done');
});

test('asks once for two at once', async () => {
  const results = [asOwner(refused(1).call), asOwner(refused(1).call)];
  await asked();
  ownerQuestion.read()?.proved();
  expect(await Promise.all(results)).toEqual(['done', 'done']);
});

test('whoever cancels gets the refusal; a question that is over ends no later one', async () => {
  const cancelled = asOwner(refused(1).call);
  await asked();
  const old = ownerQuestion.read();
  old?.cancel();
  await expect(cancelled).rejects.toBe(refusal);
  const next = asOwner(refused(1).call);
  await asked();
  old?.cancel();
  ownerQuestion.read()?.proved();
  expect(await next).toBe('done');
});

test('passes every other failure on', async () => {
  const wrong = new ApiError(403, 'forbidden', 'This is not your password.');
  await expect(asOwner(() => Promise.reject(wrong))).rejects.toBe(wrong);
  expect(ownerQuestion.read()).toBeNull();
});
