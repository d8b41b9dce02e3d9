import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { isGuessedFirst, passwordRefusal, userName } from './accounts.credentials.ts';

const rules = (env: Record<string, string> = {}) => readConfig(env);

test('six characters are enough by default', () => {
  expect(passwordRefusal(rules(), '12345')?.message).toBe('The password needs at least 6 characters.');
  expect(passwordRefusal(rules(), '🧵🧵🧵')?.code).toBe('PASSWORD_TOO_SHORT');
  expect(passwordRefusal(rules(), '123456')).toBeNull();
  expect(passwordRefusal(rules({ PASSWORD_MAX: '8' }), '123456789')?.code).toBe('PASSWORD_TOO_LONG');
});

test('what the operator asks for beyond that is named in one sentence', () => {
  const all = rules({ PASSWORD_LOWERCASE: '1', PASSWORD_UPPERCASE: '1', PASSWORD_NUMERIC: '1', PASSWORD_SYMBOL: '1' });
  expect(passwordRefusal(all, 'abcdef')?.message).toBe(
    'The password needs an uppercase letter, a number, and a symbol such as ! or ?.',
  );
  expect(passwordRefusal(all, 'ABC123!')?.message).toBe('The password needs a lowercase letter.');
  expect(passwordRefusal(all, 'Äbc 123!')).toBeNull();
});

test.each([
  ['123456', {}],
  ['iloveyou', {}],
  ['Password1', {}],
  ['QWERTYUIOP', {}],
  ['P@ssw0rd1', {}],
  ['passw0rd!', {}],
  ['!loveyou', {}],
  ['sunsh1n3', {}],
  ['we1c0me', {}],
  ['4telier$', {}],
  ['ATELIER', {}],
  ['grace hopper', { name: 'Grace Hopper' }],
  ['Grace.Hopper', { email: 'grace.hopper@example.com' }],
  ['grace.hopper@example.com', { email: 'Grace.Hopper@example.com' }],
])('%s is guessed first, and refused where the operator says so', (password, owner) => {
  expect(isGuessedFirst(password, owner)).toBe(true);
  expect(passwordRefusal(rules(), password, 'password', owner)).toBeNull();
  const strict = rules({ PASSWORD_UNCOMMON: '1' });
  expect(passwordRefusal(strict, password, 'newPassword', owner)).toMatchObject({
    code: 'PASSWORD_TOO_COMMON',
    field: 'newPassword',
  });
});

test.each([
  ['correct horse', {}],
  ['h0rse b@ttery', {}],
  ['password of my grandmother', {}],
  ['grace hopper 1906', { name: 'Grace Hopper', email: 'grace@example.com' }],
  ['', { name: '', email: '' }],
])('only whole passwords are compared: “%s” is none of them', (password, owner) => {
  expect(isGuessedFirst(password, owner)).toBe(false);
});

test('the list has three thousand of those that may be chosen', () => {
  const words = readFileSync(new URL('../../platform/passwords/common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  expect(words.filter((word) => passwordRefusal(rules(), word) === null).length).toBeGreaterThanOrEqual(3_000);
  expect(new Set(words).size).toBe(words.length);
});

const refusal = (name: unknown) => userName.safeParse(name).error?.issues[0]?.message;

test.each([
  'Atelier| ATELIER |A t e l i e r|A-t_e.l.i.e.r|Atelier.|Atelier™|Atelier®|Atelier ✓|«Atelier» 🎨|Át\u0336elier|A\u20E0telier|Ate\u200Blier',
  'Аtelier|АΤЕLІЕR|Ａｔｅｌｉｅｒ|𝐀𝐭𝐞𝐥𝐢𝐞𝐫|𝔄𝔱𝔢𝔩𝔦𝔢𝔯|Ⓐⓣⓔⓛⓘⓔⓡ|⒜⒯⒠⒧⒤⒠⒭|🅰🆃🅴🅻🅸🅴🆁|🇦🇹🇪🇱🇮🇪🇷|AteIier|Ate1ier',
  'ᎪᎢᎬᏞᎥᎬᎡ|ꭺꭲꭼꮮꭵꭼꭱ|ꓮꓔꓰꓡꓲꓰꓣ|𐊠𐊗𐊆𐑃𐊦𐊆R|ⲁⲧⲉⳑⲓⲉⲅ|atеlıer|Αtеlιеr|αтєℓιєя|ДТΞLIΞЯ|卂ㄒ乇ㄥ丨乇尺|ᴀᴛᴇʟɪᴇʀ|ᵃᵗᵉˡⁱᵉʳ|Ⱥŧɇłɨɇɍ',
  'A⊤elier|A⟙elier|Atel∣er|Atel❘er|Atel׀er|ATEL丨ER|Atelㅣer|ᗅtelier|ATEᒪIER|ATELIEᖇ|Λtelier|∀telier|⍲telier|Atel١er|ATELﺍER',
  '4telier|A7elier|@telier|At3l13r|Atel!er|A†elier|A𐌕elier|Aፕelier|ᚨtelier|At℮li℮r|Atelieꭈ',
  'AtelierAI|Atelier: account|Atelier Payments|Atelier Security Team|AtelierHelpDesk|Atelier No Reply|The Atelier|Atelier ✔ verified|Équipe Atelier',
  'Atelier Support|Atelier Team|ATELIER-ADMIN|Official Atelier|AtelierSupport|The Atelier Team|Аtelier Suppоrt|Atelier (official)|Support @ Atelier',
])('the product’s name is reserved, however it is drawn: %s', (names) => {
  for (const name of names.split('|'))
    expect([name, refusal(name)]).toEqual([name, '“Atelier” is reserved. Choose another username.']);
  expect(refusal('Ate|ier')).toBe('“Atelier” is reserved. Choose another username.');
});

test.each([
  'Atelier Anna|Ateliers|Anna’s Atelier|Atelier Dupont|Ateliers Dupont|Atelier 21|Ateliê ✨|Atelié|Atelierista|7 Ateliers|Atelier d’Art',
  'Atelje|Hotelier|Batelier|Râtelier|Chocolatelier|A. Tellier|A. Elier|Olivier|Ada|Tal|Ai|Team|Support Group|Staff Sergeant',
  'Ателье|Ателиер|Алексей|Ατελιέ|Ἀριστοτέλης|アトリエ|李|王小明|工作室|김철수|สตูดิโอ|น้ำผึ้ง|محمد علي|عبدالله|الأتيليه|אטלייה|ათელიე|ᏣᎳᎩ',
])('a name that is another one may be chosen: %s', (names) => {
  for (const name of names.split('|')) expect(userName.parse(name)).toBe(name);
});

test('a username that is missing, invisible or too long is refused', () => {
  expect(refusal(undefined)).toBe('The username is missing.');
  expect(refusal(' ')).toBe('The username is missing.');
  expect(refusal('\u3164')).toBe('The username needs at least one visible character.');
  expect(refusal('😀'.repeat(101))).toBe('The username can have at most 100 characters.');
  expect(userName.parse('😀'.repeat(100))).toBe('😀'.repeat(100));
});
