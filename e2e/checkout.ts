import { expect, type FrameLocator, type Page } from '@playwright/test';

export const upgrade = (page: Page) => page.getByRole('button', { name: 'Upgrade to Pro' });
export const checkout = (page: Page): FrameLocator => page.frameLocator('iframe[id^="inline-checkout-"]');
export const alert = (page: Page) => page.getByRole('alertdialog');

/** Opens the checkout and chooses how it ends. */
export async function choose(page: Page, outcome: string): Promise<void> {
  await upgrade(page).click();
  const frame = checkout(page);
  await expect(frame.getByText('Sandbox: no money moves')).toBeVisible();
  await frame.getByRole('button', { name: new RegExp(`^${outcome}`, 'u') }).click();
}

export async function expectSaid(page: Page, sentence: string): Promise<void> {
  await expect(alert(page)).toContainText(sentence);
  await alert(page).getByRole('button', { name: 'OK' }).click();
  await expect(alert(page)).toBeHidden();
  await expect(page.getByText('Free', { exact: true })).toBeVisible();
}
