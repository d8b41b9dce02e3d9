import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts';
import { composer, exchanges, newPerson, sidebar, signUp } from './workshop.ts';

test('the start page tells what it is, what it costs, and leads on', { tag: '@phone' }, async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await page.goto('/');
  for (const name of ['How It Works', 'Features', 'Pricing']) {
    await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
  }
  for (const name of ['Create an Agent', 'Chat & Iterate', 'Explore & Fork']) {
    await expect(page.getByRole('heading', { name, level: 3 })).toBeVisible();
  }
  for (const [what, free] of [
    ['Sessions', '3'],
    ['Messages', '10'],
    ['Tasks', '50'],
  ] as const) {
    await expect(page.getByRole('row', { name: new RegExp(`^${what} ${free} Unlimited$`, 'u') })).toBeVisible();
  }
  await expect(page.getByText(/converted to South African rand \(ZAR\)/u)).toContainText('ZAR 275.00');
  await expect(page.getByRole('link', { name: 'Launch Runtime' })).toHaveAttribute('href', '/runtime');
  await expect(page.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/library');
  // The first screen shows a receipt: the picture of one colour scheme only, in its own size.
  const picture = page.getByRole('img', { name: /Nora.*the memories it used are open/u });
  await expect(picture).toHaveCount(1);
  await expect(picture).toBeInViewport();
  await expect(page.getByRole('img', { name: /Facts|Asked again|asked again|code/u })).toHaveCount(3);
  await expect
    .poll(() => picture.evaluate((image) => 'naturalWidth' in image && Number(image.naturalWidth) > 0))
    .toBe(true);
  expect(scripts).toEqual(['/static-page.js']);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Sign up to purchase' }).dblclick();
  await expect(page.getByRole('alertdialog')).toContainText('You must be signed in to purchase.');
  await expectAccessible(page);
  await page.getByRole('alertdialog').getByRole('button').click();
  await expect(page).toHaveURL(/\/signup\?from=%2Fbilling$/u);
});

test('legal texts carry their date and sections, lead to contact, and print without the frame', async ({ page }) => {
  const texts = {
    '/terms': ['Acceptance', 'User obligations', 'Subscription and payments', 'Termination', 'Disclaimers', 'Contact'],
    '/privacy': ['Data we collect', 'How we use it', 'Sharing', 'Retention', 'Your rights', 'Contact'],
  };
  for (const [path, sections] of Object.entries(texts)) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(path);
    await expect(page.getByText('Last updated: June 8, 2025')).toBeVisible();
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    await expect(headings).toHaveText(sections.map((name) => new RegExp(name, 'u')));
    await expect(page.getByRole('main').getByRole('link', { name: 'contact page' }).last()).toHaveAttribute(
      'href',
      '/contact',
    );
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('contentinfo')).toBeHidden();
    await expect(page.getByRole('main')).toHaveCSS('color', 'rgb(0, 0, 0)');
  }
});

test('@desk pages introduce themselves, and what leads nowhere is a 404', async ({ request, page, complaints }) => {
  complaints.expectConsole(/nowhere/u);
  const titles = new Set<string>();
  for (const path of ['/', '/login', '/signup', '/contact', '/terms', '/privacy']) {
    const html = await (await request.get(path)).text();
    titles.add(/<title>(?<title>[^<]+)<\/title>/u.exec(html)?.groups?.title ?? path);
    for (const mark of ['name="description"', 'property="og:image"', 'rel="icon"', 'rel="manifest"', 'lang="en"']) {
      expect([path, html.includes(mark)]).toEqual([path, true]);
    }
  }
  expect(titles.size).toBe(6);
  const manifest = await (await request.get('/manifest.webmanifest')).json();
  for (const { src } of manifest.icons) expect((await request.get(src)).status()).toBe(200);
  expect((await request.get('/preview.png')).headers()['content-type']).toBe('image/png');
  expect(await (await request.get('/robots.txt')).text()).toContain('/sitemap.xml');
  const map = await (await request.get('/sitemap.xml')).text();
  const addresses = [...map.matchAll(/<loc>(?<address>[^<]+)<\/loc>/gu)].map((found) => found.groups?.address ?? '');
  expect(addresses).toHaveLength(6);
  for (const address of addresses) expect((await request.get(address)).status()).toBe(200);
  for (const path of ['/runtime', '/explore/somebody/something', '/account']) {
    expect((await request.get(path)).status()).toBe(200);
  }
  expect((await page.goto('/nowhere'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'There is no page at this address.' })).toBeVisible();
});

test('an older browser is told which ones work; others are not', async ({ page, complaints }) => {
  complaints.expectConsole(/./u);
  const told = page.getByText('This browser is too old for Atelier.');
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(told).toBeHidden();
  await page.addInitScript('delete AbortSignal.any');
  for (const path of ['/', '/login']) {
    await page.goto(path);
    await expect(told).toBeVisible();
  }
});

test('somebody new is one press away from a first answer', async ({ page }) => {
  await signUp(page, newPerson());
  await page.getByRole('button', { name: /Trip Planner/u }).click();
  await expect(page.getByRole('heading', { name: 'Session with: Trip Planner' })).toBeVisible();
  await expect(exchanges(page)).toHaveCount(1);
  await expect(exchanges(page).first()).toContainText('My sister Nora comes along');
  await expect(exchanges(page).first()).toContainText(/plan trips with (?:my|your) family/iu);
  await expect(page.getByText('Free tier: 1/10 messages, 1/50 tasks, 1/3 sessions used')).toBeVisible();
  // A second press shows what nobody else has: an answer with the memory behind it.
  await composer(page).fill('Half a thought');
  await page.getByRole('button', { name: 'What is Nora allergic to?' }).click();
  await expect(exchanges(page)).toHaveCount(2);
  await expect(composer(page)).toHaveValue('Half a thought');
  await expect(exchanges(page).last()).toContainText('allergic to peanuts');
  await expect(
    exchanges(page)
      .last()
      .getByRole('button', { name: /^Memory:/u }),
  ).toBeVisible();
  await expect(page.getByText('See whether it remembers:')).toBeHidden();
  await expectAccessible(page);
  await (await sidebar(page)).getByRole('link', { name: 'Runtime', exact: true }).click();
  await expect(page.getByText('Or start with one that is ready')).toBeHidden();
});
