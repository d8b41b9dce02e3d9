import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import type { SharedServer } from './server.ts';

/** What people do in the product, by role and label. */
export interface Person {
  name: string;
  email: string;
  password: string;
}

export const newPerson = (name = 'Ada Lovelace'): Person => ({
  name,
  email: `ada-${randomUUID()}@example.com`,
  password: 'a long password',
});

/** A tag that no other journey uses: what is published is seen by all that run meanwhile. */
export const newTag = (word: string) => `${word}-${randomUUID().slice(0, 8)}`;

/** Sends what the pages would, to the server of the open page or to another one; returns the answer's body. */
export async function post(page: Page, path: string, data: object, at?: string) {
  const { origin } = new URL(at ?? (await originOf(page)));
  const answer = await page.request.post(`${origin}/api/${path}`, { headers: { origin }, data });
  expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
  return answer.json();
}

/** Signs up with a request, and opens no page. */
export async function register(page: Page, person: Person = newPerson(), at = ''): Promise<Person> {
  await post(page, 'auth/sign-up/email', person, at || undefined);
  return person;
}

const OPERATOR = { ...newPerson('Boss'), email: 'boss@example.com' };

/** Signs in as the operator of a server that the journeys of a file share: whoever comes first. */
export async function enterAsOperator(page: Page, at: string): Promise<void> {
  const { email, password } = OPERATOR;
  const data = { email, password };
  const known = await page.request.post(`${at}/api/auth/sign-in/email`, { headers: { origin: at }, data });
  if (!known.ok()) await register(page, OPERATOR, at);
}

/** Signs up with a request, for journeys about something else, and opens the workspace. */
export async function signUp(page: Page, person: Person = newPerson(), at = ''): Promise<Person> {
  const { origin } = new URL(at === '' ? await originOf(page) : at);
  await register(page, person, origin);
  await openWorkspace(page, origin);
  return person;
}

/** The same as Pro. */
export async function signUpPro(page: Page, server: SharedServer): Promise<void> {
  const { email } = await register(page, undefined, server.url);
  await server.admin('grant-pro', email, '--reason', 'a journey');
  await openWorkspace(page, server.url);
}

/** Opens the workspace of a person without sessions. */
async function openWorkspace(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/runtime`);
  await expect(page.getByText('Please select or create a session (agent) to start chatting.')).toBeVisible();
}

interface Conversation {
  agent?: string;
  prompt: string;
  person?: Person;
  /** The server's address, if it is not the journey's own. */
  at?: string;
  /** The server that makes the person Pro. */
  pro?: SharedServer;
}

/** Signs up, creates an agent and a session with it by requests, for journeys about what comes then, and opens the session. */
export async function openConversation(page: Page, options: Conversation): Promise<Person> {
  const { agent = 'Field Notes', prompt, pro } = options;
  const { origin } = new URL(options.at ?? (await originOf(page)));
  const person = await register(page, options.person, origin);
  if (pro !== undefined) await pro.admin('grant-pro', person.email, '--reason', 'a journey');
  const { agent: created } = await post(page, 'agents', { name: agent, prompt }, origin);
  const { session } = await post(page, 'sessions', { agentId: created.id }, origin);
  await page.goto(`${origin}/runtime?sessionId=${session.id}`);
  await expect(page.getByRole('heading', { name: `Session with: ${agent}` })).toBeVisible();
  await expect(composer(page)).toBeVisible();
  return person;
}

/** The server of the open page, or the journey's own if none is open. */
export async function originOf(page: Page): Promise<string> {
  if (page.url().startsWith('http')) return new URL(page.url()).origin;
  return new URL((await page.request.get('/healthz')).url()).origin;
}

/** Fills in the sign-up page that is open, and submits it. */
export async function fillSignUp(page: Page, person: Person = newPerson()): Promise<void> {
  await page.getByLabel('Username').fill(person.name);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
}

/** Signs up on the page, by hand, and waits for the workspace. */
export async function signUpByHand(page: Page, person: Person = newPerson(), at = ''): Promise<Person> {
  await page.goto(`${at}/signup`);
  await fillSignUp(page, person);
  await expect(page).toHaveURL(/\/runtime/u);
  await expect(page.getByText('Please select or create a session (agent) to start chatting.')).toBeVisible();
  return person;
}

export async function logIn(page: Page, person: Person): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page).toHaveURL(/\/runtime/u);
}

/** The sidebar, opened first if it is a drawer. */
export async function sidebar(page: Page): Promise<Locator> {
  const menu = page.getByRole('button', { name: 'Open sidebar' });
  const wide = page.getByRole('complementary', { name: 'Sidebar' });
  const drawer = page.getByRole('dialog', { name: 'Sidebar' });
  await expect(wide.or(menu).or(drawer).first()).toBeVisible();
  if (await wide.isVisible()) return wide;
  // A navigation that has just begun may close it again.
  await expect(async () => {
    if (!(await drawer.isVisible())) await menu.click({ timeout: 1000 });
    await expect(drawer).toBeVisible({ timeout: 1000 });
  }).toPass();
  return drawer;
}

/** Opens the menu behind the name. */
export async function openAccountMenu(page: Page): Promise<void> {
  await (await sidebar(page)).getByRole('button', { name: /Logged in as/u }).click();
}

/** Opens the account's page by it. */
export async function openAccount(page: Page): Promise<void> {
  await openAccountMenu(page);
  await page.getByRole('menuitem', { name: 'Account' }).click();
}

/** Closes the drawer if there is one; a navigation may be closing it at the same moment. */
export async function closeSidebar(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Close sidebar' });
  await expect(async () => {
    if (await close.isVisible()) await close.click({ timeout: 1000 });
    await expect(close).toBeHidden({ timeout: 1000 });
  }).toPass();
}

/** Says things in a new session, with the page's own requests, for journeys about what comes of it; returns the session's id. */
export async function tellAgent(page: Page, agentId: string, messages: readonly string[]): Promise<string> {
  const { session } = await post(page, 'sessions', { agentId });
  for (const inputText of messages) await post(page, 'runAgentTask', { sessionId: session.id, agentId, inputText });
  return session.id;
}

/** Creates an agent with the page's own request, for journeys about something else. */
export async function createAgent(page: Page, name: string, prompt: string): Promise<void> {
  await post(page, 'agents', { name, prompt });
}

export async function createAgentByHand(page: Page, name: string, prompt: string): Promise<void> {
  await page.getByRole('button', { name: 'Create Agent' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create Agent' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Prompt').fill(prompt);
  await dialog.getByRole('button', { name: 'Create Agent' }).click();
  await closeToast(page, 'Agent created!');
  await expect(dialog).toBeHidden();
}

/** How long the pages show a notice, in milliseconds: `TOAST_MS` in `web/app/ui/overlay/toast.tsx`. */
const TOAST_MS = 5000;

/** Keeps notices that appear on the open page until they are closed: they leave after five seconds, which a busy machine may take to act. */
export async function keepNotices(page: Page): Promise<void> {
  await page.evaluate(`{
    const start = globalThis.setTimeout;
    globalThis.setTimeout = (call, ms, ...rest) => start(call, ms === ${TOAST_MS} ? 2 ** 31 - 1 : ms, ...rest);
  }`);
}

/** Waits for a toast and closes it: on a phone it covers the sidebar's buttons while the pointer rests on it. */
export async function closeToast(page: Page, text: string): Promise<void> {
  const toast = page.getByRole('listitem').filter({ hasText: text });
  await toast.getByRole('button', { name: 'Close toast' }).click();
  await expect(toast).toBeHidden();
}

/** Chooses the agent of a new session in the dialog, and waits for the composer of its first message. */
export async function chooseAgent(page: Page, agent: string): Promise<void> {
  await (await sidebar(page)).getByRole('button', { name: 'New session' }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByRole('list', { name: 'Agents' }).getByRole('button', { name: agent }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/agent=/u);
  await expect(composer(page)).toBeFocused();
}

/** Makes an empty session with the agent by a request, for journeys about what comes then, and opens it from the list. */
export async function startSession(page: Page, agent: string): Promise<void> {
  const origin = await originOf(page);
  let agentId: string | undefined;
  // The page may be creating it.
  await expect(async () => {
    const { agents } = await (await page.request.get(`${origin}/api/agents`)).json();
    agentId = agents.find((one: { name: string }) => one.name === agent)?.id;
    expect(agentId).toBeDefined();
  }).toPass();
  const { session } = await post(page, 'sessions', { agentId }, origin);
  await (await sidebar(page)).locator(`a[href$="sessionId=${session.id}"]`).click();
  await expect(page).toHaveURL(new RegExp(session.id, 'u'));
  await expect(page.getByRole('heading', { name: `Session with: ${agent}` })).toBeVisible();
  // Until the session before, of the same agent, has gone.
  await expect(exchanges(page)).toHaveCount(0);
  await closeSidebar(page);
}

/** Opens the menu of a session, or of another entry whose button is named, and chooses a line of it. */
export async function chooseForSession(page: Page, list: Locator, name: string | RegExp, line: string): Promise<void> {
  const label = typeof name === 'string' ? `More for session ${name}` : name;
  const more = list.getByRole('button', { name: label });
  await more.hover();
  await more.click();
  await page.getByRole('menuitem', { name: line }).click();
}

/** Opens the menu of an exchange, and chooses a line of it. */
export async function chooseForExchange(page: Page, exchange: Locator, line: string): Promise<void> {
  await exchange.getByRole('button', { name: 'More for this exchange' }).click();
  await page.getByRole('menuitem', { name: line }).click();
}

export const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
export const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
/** The exchanges on the page: a question and its answer each. */
export const exchanges = (page: Page) => conversation(page).getByRole('article');

/** Writes and sends, without waiting for the answer. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** Waits until the message that `act` sends is shown in the conversation; returns the last exchange. */
export async function shown(page: Page, act: () => Promise<void>): Promise<Locator> {
  const taken = page.waitForResponse(
    (answer) => answer.ok() && answer.request().method() === 'POST' && answer.url().endsWith('/tasks'),
  );
  await act();
  const { task } = await (await taken).json();
  await expect(conversation(page).locator(`[data-task="${task.id}"]`)).toBeVisible();
  return exchanges(page).last();
}

/** Sends, and waits until the new exchange is shown; returns it. */
export async function say(page: Page, text: string): Promise<Locator> {
  await expect(conversation(page)).toBeVisible();
  return shown(page, () => send(page, text));
}

/** Sends and waits until the answer is complete; returns the exchange. */
export async function ask(page: Page, text: string): Promise<Locator> {
  const exchange = await say(page, text);
  await expect(exchange.getByRole('button', { name: 'Copy answer' })).toBeVisible();
  return exchange;
}

/** Closes a dialog that was just opened. Once it has the focus it has the keys; before, Escape closes nothing, or what lies below it. */
export async function closeByEscape(page: Page, dialog: Locator): Promise<void> {
  const focused = page.locator(':focus');
  await expect(dialog.locator(focused).or(dialog.and(focused))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

/**
 * Presses Tab until the element has the focus. Leaving a toast returns to the place before it, so this may go around until the toast is
 * gone.
 */
export async function tabTo(page: Page, thing: Locator, key = 'Tab'): Promise<void> {
  await expect(thing).toBeVisible();
  const end = Date.now() + 300_000;
  while (Date.now() < end) {
    if (await thing.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(thing).toBeFocused();
}
