import { afterAll } from 'vitest';
import './quick-imports.ts';

// Test files share a worker: what one adds to every array or object, the next ones and their libraries meet.
afterAll(() => {
  const left = [Object, Array, Function, String, Promise, Map, Set].flatMap(({ name, prototype }) =>
    Object.keys(prototype).map((key) => `${name}.prototype.${key}`),
  );
  if (left.length > 0) throw new Error(`This file leaves ${left.join(', ')} behind.`);
});
