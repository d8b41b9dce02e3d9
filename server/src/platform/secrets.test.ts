import { expect, it } from 'vitest';
import { openText, sealText } from './secrets.ts';

it('opens with the same secret at the same place only, unchanged, and is never the same twice', () => {
  const sealed = sealText(['a secret'], 'ada/1', 'Bearer abc');
  expect(openText(['a secret'], 'ada/1', sealed)).toBe('Bearer abc');
  expect(openText(['another'], 'ada/1', sealed)).toBeNull();
  expect(openText(['a secret'], 'bob/1', sealed)).toBeNull();
  expect(openText(['a secret'], 'ada/1', `${sealed.slice(0, -2)}AA`)).toBeNull();
  for (const broken of ['', 'v1.', 'v1.AAAA', 'v2.AAAA', 'Bearer abc'])
    expect(openText(['a secret'], 'ada/1', broken)).toBeNull();
  expect(sealText(['a secret'], 'ada/1', 'Bearer abc')).not.toBe(sealed);
  expect(sealed).not.toContain('abc');
});

it('opens what an older secret has sealed, and seals with the newest', () => {
  const old = sealText(['older'], 'ada/1', 'Bearer abc');
  expect(openText(['newest', 'older'], 'ada/1', old)).toBe('Bearer abc');
  const sealed = sealText(['newest', 'older'], 'ada/1', 'Bearer abc');
  expect(openText(['newest'], 'ada/1', sealed)).toBe('Bearer abc');
  expect(openText(['older'], 'ada/1', sealed)).toBeNull();
});
