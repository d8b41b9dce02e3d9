import { refusal } from '@atelier/contract/files';
import { expect, test } from 'vitest';

test('what can’t be read is known before it is sent', () => {
  expect(refusal({ name: 'a.exe', size: 1 })).toMatch(/can’t be read/);
  expect(refusal({ name: 'a.doc', size: 1 })).toMatch(/Old Office files/);
  expect(refusal({ name: 'a.Heif', size: 1 })).toMatch(/Save it as PNG or JPEG/);
  expect(refusal({ name: 'a.ogg', size: 1 })).toMatch(/Save what is said as text/);
  expect(refusal({ name: 'README', size: 1 })).toBeUndefined();
  expect(refusal({ name: 'a.XLSX', size: 1 })).toBeUndefined();
  expect(refusal({ name: 'a.txt', size: 0 })).toMatch(/empty/);
  expect(refusal({ name: 'a.PDF', size: 11 * 1024 * 1024 })).toMatch(/10 MB/);
  expect(refusal({ name: 'a.PDF', size: 1 })).toBeUndefined();
  for (const ending of 'gif docm xlsm dotx ott fodt mbox'.split(' '))
    expect(refusal({ name: `a.${ending}`, size: 1 }), ending).toBeUndefined();
});
