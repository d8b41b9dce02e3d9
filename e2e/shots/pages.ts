import { type AccountImport, IMPORT_SENTENCES } from '@atelier/contract/transfer/imports';
import { expect, type Page } from '@playwright/test';
import { pictureOf } from '../../server/src/testing/pictures.ts';
import type { Workshop } from './people.ts';

export const STATES = ['empty', 'full', 'loading', 'failing', 'offline'] as const;
export type State = (typeof STATES)[number];
/** Everything has come that comes. */
const isRead = (state: State) => state === 'full' || state === 'empty';
export type Who = 'out' | 'free' | 'pro';

/** A page of the matrix: its address, who sees it, and its states. */
export interface Place {
  name: string;
  path: (addresses: Workshop['addresses']) => string;
  who: readonly Who[];
  /** All states by default. */
  states?: readonly State[];
  /** Requests that succeed even when the others are held, refused or lost: the page depends on them. */
  spared?: RegExp;
  /** The browser's own message about a missing resource. */
  complains?: RegExp;
  /** On the server whose operator has connected and set what can be. */
  operated?: true;
  /** The picture shows all that scrolls. */
  whole?: true;
  /** Before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Only when the sidebar is a drawer. */
  narrow?: true;
  /** Actions on the page before the picture. */
  act?: (page: Page, state: State) => Promise<void>;
  /** These actions request a list, which is retried several times. */
  asks?: true;
  /** Load the page before the connection is lost. */
  loadedBefore?: true;
}

/** Holds, refuses or loses every request, for a page that has nothing yet. */
export const NOTHING_SPARED = /^$/u;
const SIGN_IN = /\/api\/(?:auth\/get-session|me|live)\b/u;
export const sparedOf = (place: Place) => place.spared ?? SIGN_IN;

async function submitCredentials(page: Page, state: State): Promise<void> {
  const username = page.getByLabel('Username');
  if (await username.isVisible()) await username.fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  if (isRead(state)) return;
  await page
    .getByRole('main')
    .getByRole('button', { name: /Create Account|Log in/u })
    .click();
  if (state !== 'loading') await expect(page.getByRole('alert')).toBeVisible();
}

async function sendContact(page: Page, state: State): Promise<void> {
  await page.getByLabel('Message').fill('A question about trains.\n\nAnd one about planes.');
  await page.getByLabel(/email/iu).fill('ada@example.com');
  if (isRead(state)) return;
  await page.getByRole('button', { name: 'Send Message' }).click();
  if (state !== 'loading') await expect(page.getByText('Failed to send message. Please try again.')).toBeVisible();
}

async function attachFiles(page: Page): Promise<void> {
  await page.getByLabel('Files to attach').setInputFiles([
    { name: 'kiln.png', mimeType: 'image/png', buffer: pictureOf('png', 400, 300) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('The kiln stands in the north shed.') },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
  ]);
  await expect(page.getByRole('list', { name: 'Attachments' }).getByRole('progressbar')).toHaveCount(0);
}

async function sendMessage(page: Page, state: State): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' });
  if (state !== 'offline' || !(await field.isVisible())) return;
  await field.fill('Is Nora allergic to anything else?');
  await field.press('Enter');
  await expect(page.getByText('The server could not be reached.').first()).toBeVisible();
}

async function openDrawer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open sidebar' }).click();
  await expect(page.getByRole('dialog', { name: 'Sidebar' })).toBeVisible();
}

async function openPicker(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'New session…' }).click();
  await expect(page.getByRole('dialog', { name: 'New session' })).toBeVisible();
}

async function openForm(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Create Agent|Edit Agent/u })
    .click();
  await expect(page.getByRole('dialog', { name: /Create Agent|Edit Agent/u })).toBeVisible();
}

async function openSearch(page: Page, state: State): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByPlaceholder(/^Search sessions/u).fill('trains');
  await palette
    .getByText(isRead(state) ? /^Messages|Upgrade to search|Nothing was found/u : /Upgrade to search|Searching/u)
    .first()
    .waitFor();
}

async function openMemory(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Memory:/u })
    .last()
    .click();
  await expect(page.getByRole('dialog', { name: 'Context Retrieved' })).toBeVisible();
}

async function openShare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share session' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this session' });
  await expect(dialog.getByText(/^The session, \d+ exchanges/u)).toBeVisible();
}

async function openShareOptions(page: Page): Promise<void> {
  await openShare(page);
  await page.getByRole('button', { name: 'Options of the link' }).first().click();
  await expect(page.getByRole('menu')).toBeVisible();
}

async function openMore(page: Page): Promise<void> {
  await expect(page.getByRole('group', { name: 'Versions of this message' })).toBeVisible();
  await page.getByRole('button', { name: 'More for this exchange' }).last().click();
  await expect(page.getByRole('menu')).toBeVisible();
}

async function editMessage(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit message' }).last().click();
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeVisible();
}

/** A command of the palette, by the words that find it. */
const command =
  (line: string, dialog: string) =>
  async (page: Page): Promise<void> => {
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).getByRole('combobox').fill(line);
    await page.getByRole('option', { name: line, exact: true }).click();
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
  };

async function fillPrompt(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('/conn');
  await expect(page.getByRole('option', { name: /^Connection/u })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('start')).toBeVisible();
}

/** The latest import in another state than it is in: they would follow each other too fast. */
const importIn = (state: AccountImport['state'], more: Partial<AccountImport> = {}) => ({
  name: `import-${state}`,
  path: at('/account'),
  who: ['pro'] as const,
  states: ['full'] as const,
  operated: true as const,
  whole: true as const,
  prepare: (page: Page) =>
    page.route('**/api/imports', async (route) => {
      const response = await route.fetch();
      const { import: latest }: { import: AccountImport } = await response.json();
      const shares = { ready: 0, running: 0.5, failed: 0.7, stopped: 0.7, done: 1, undone: 1 };
      const counts = latest.counts.map((count) => ({ ...count, imported: Math.floor(count.found * shares[state]) }));
      await route.fulfill({ response, json: { import: { ...latest, counts, state, ...more } } });
    }),
  act: async (page: Page) => {
    const section = page.getByRole('region', { name: 'Bring an account here' });
    await expect(section.getByRole('heading', { level: 3 }).first()).toBeVisible();
    if (state === 'ready') await expect(section.getByRole('group', { name: 'Conversations' })).toBeVisible();
  },
});

const at = (path: string) => () => path;
const atBranches = ({ branched }: Workshop['addresses']) => `/runtime?sessionId=${branched}`;
async function openPrompts(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Saved prompts' });
  if (await button.isVisible()) await button.click();
}

const atSession = ({ session }: Workshop['addresses']) => `/runtime?sessionId=${session}`;
const SESSION = /\/api\/(?:auth\/get-session|me|live|agents|sessions)(?:\?|$)/u;
const both = ['free', 'pro'] as const;

/** Every page of the product, and what opens above it. */
export const PLACES: readonly Place[] = [
  { name: 'landing', path: at('/'), who: ['out', 'pro'], states: ['full'] },
  { name: 'terms', path: at('/terms'), who: ['out'], states: ['full'] },
  { name: 'privacy', path: at('/privacy'), who: ['out'], states: ['full'] },
  { name: 'not-found', path: at('/nowhere'), who: ['out'], states: ['full'], complains: /404.*nowhere/u },
  { name: 'login', path: at('/login'), who: ['out'], act: submitCredentials },
  { name: 'signup', path: at('/signup'), who: ['out'], act: submitCredentials },
  {
    name: 'signup-by-invitation',
    path: at('/signup'),
    who: ['out'],
    states: ['full'],
    operated: true,
    act: async (page) => expect(page.getByText('You need an invitation')).toBeVisible(),
  },
  {
    name: 'signup-invited',
    path: ({ invitation }) => `/signup#${invitation}`,
    who: ['out'],
    states: ['full'],
    operated: true,
    act: async (page) => expect(page.getByText('You are invited to create an account here.')).toBeVisible(),
  },
  { name: 'contact', path: at('/contact'), who: ['out', 'pro'], act: sendContact },
  {
    name: 'starting',
    path: at('/runtime'),
    who: ['out'],
    states: ['loading', 'failing', 'offline'],
    spared: NOTHING_SPARED,
  },
  { name: 'runtime', path: at('/runtime'), who: both },
  { name: 'session', path: atSession, who: ['pro'], spared: SESSION, loadedBefore: true, act: sendMessage },
  {
    name: 'right-to-left',
    path: ({ rightToLeft }) => `/runtime?sessionId=${rightToLeft}`,
    who: ['pro'],
    states: ['full'],
  },
  { name: 'attachments', path: atSession, who: ['pro'], states: ['full'], spared: SESSION, act: attachFiles },
  {
    name: 'session-limit',
    path: ({ limited }) => `/runtime?sessionId=${limited}`,
    who: ['free'],
    states: ['full'],
  },
  { name: 'session-unlisted', path: atSession, who: ['pro'], states: ['loading', 'failing', 'offline'] },
  { name: 'explore', path: at('/explore'), who: both },
  { name: 'public-agent', path: ({ agent }) => `/explore/${agent}`, who: both, complains: /404.*agent-6/u },
  { name: 'library', path: at('/library'), who: both },
  { name: 'memory', path: at('/memory'), who: both },
  { name: 'memory-said', path: at('/memory?view=said'), who: ['pro'] },
  { name: 'billing', path: at('/billing'), who: both, whole: true },
  { name: 'account', path: at('/account'), who: both, whole: true },
  { name: 'invitations', path: at('/account'), who: ['pro'], states: ['full'], operated: true, whole: true },
  importIn('ready'),
  importIn('running'),
  importIn('done', { notes: ['One conversation was left out: it has no messages.'] }),
  importIn('failed', { error: IMPORT_SENTENCES.interrupted }),
  importIn('undone'),
  { name: 'usage', path: at('/usage'), who: ['pro'], whole: true },
  { name: 'budgets', path: at('/usage'), who: ['pro'], states: ['full'], operated: true, whole: true },
  // Who signed up first runs a server that only this machine can reach.
  { name: 'admin-library', path: at('/admin/library'), who: ['pro'], whole: true },
  { name: 'admin', path: at('/admin'), who: ['pro'], whole: true },
  { name: 'admin-people', path: at('/admin/people'), who: ['pro'], whole: true },
  {
    name: 'admin-person',
    path: ({ person }) => `/admin/people/${person}`,
    who: ['pro'],
    states: ['full'],
    whole: true,
  },
  { name: 'admin-inbox', path: at('/admin/inbox'), who: ['pro'], whole: true },
  { name: 'admin-payments', path: at('/admin/payments'), who: ['pro'], whole: true },
  { name: 'admin-jobs', path: at('/admin/jobs'), who: ['pro'], whole: true },
  { name: 'admin-providers', path: at('/admin/providers'), who: ['pro'], operated: true, whole: true },
  { name: 'admin-tool-servers', path: at('/admin/tool-servers'), who: ['pro'], operated: true, whole: true },
  { name: 'admin-settings', path: at('/admin/settings'), who: ['pro'], operated: true, whole: true },
  { name: 'admin-audit', path: at('/admin/audit'), who: ['pro'], whole: true },
  {
    name: 'shared',
    path: ({ shared }) => `/shared/${shared}`,
    who: ['out'],
    states: ['full', 'loading', 'failing'],
  },
  {
    name: 'share-nothing',
    path: at('/shared/nothing'),
    who: ['out'],
    states: ['full'],
    complains: /404.*shared/u,
  },
  { name: 'share', path: atSession, who: ['pro'], states: ['full'], act: openShare },
  { name: 'share-options', path: atSession, who: ['pro'], states: ['full'], act: openShareOptions },
  { name: 'branches', path: atBranches, who: ['pro'], states: ['full'], act: openMore },
  { name: 'message-edit', path: atBranches, who: ['pro'], states: ['full'], act: editMessage },
  {
    name: 'share-answer',
    path: atBranches,
    who: ['pro'],
    states: ['full'],
    act: command('Share answer…', 'Share this answer'),
  },
  {
    name: 'move-to-folder',
    path: atBranches,
    who: ['pro'],
    states: ['full'],
    act: command('Move to folder…', 'Move to folder'),
  },
  { name: 'new-folder', path: atBranches, who: ['pro'], states: ['full'], act: command('New folder…', 'New folder') },
  { name: 'prompt-values', path: atBranches, who: ['pro'], states: ['full'], act: fillPrompt },
  { name: 'drawer', path: at('/runtime'), who: ['pro'], narrow: true, act: openDrawer, asks: true },
  { name: 'new-session', path: at('/runtime'), who: ['pro'], act: openPicker, asks: true },
  { name: 'agent-form', path: at('/runtime'), who: both, act: openForm, asks: true },
  { name: 'saved-prompts', path: atSession, who: ['pro'], act: openPrompts, asks: true },
  { name: 'search', path: at('/runtime'), who: both, act: openSearch, asks: true },
  { name: 'memory-chip', path: atSession, who: ['pro'], states: ['full'], act: openMemory },
];
