import { expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { mailsTo, startFakeSmtp } from '../../testing/fake-smtp.ts';
import { emptyApp, ORIGIN } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { runAdminCommand } from './operator.service.ts';

const smtp = await closing(startFakeSmtp());
const app = await emptyApp({ env: { SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com', PUBLIC_URL: ORIGIN } });

test('an author is mailed why an agent was made private, and not who reported it', async () => {
  const [ada, bob] = [await app.signUpPro('Ada'), await app.signUp('Bob')];
  await app.call(ada, 'POST', '/api/agents', { name: 'Field Notes', prompt: 'p', isPublic: true });
  await app.call(bob, 'POST', `/api/explore/${ada.uid}/field-notes/report`, { kind: 'spam' });
  const act = ['unpublish', `${ada.uid}/field-notes`, '--reason', 'It is advertising.'];
  expect((await runAdminCommand(app.deps, act)).ok).toBe(true);
  const sent = () => mailsTo(smtp, ada.email).find(({ subject }) => subject.includes('no longer public'));
  await eventually(async () => expect(sent()).toBeDefined());
  expect(sent()?.text).toContain('Agent: Field Notes\nReason: It is advertising.');
  expect(sent()?.text).not.toContain(bob.email);
});
