import { exportCalls } from '@atelier/contract/accounts';
import { removalCalls } from '@atelier/contract/removal';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { asOwner } from '../../lib/auth/as-owner.ts';
import { useAuth } from '../../lib/auth.tsx';
import { addressOf, call, errorText } from '../../lib/http.ts';
import { clearPages } from '../../lib/sign-in.ts';
import { markSignedIn } from '../../lib/sign-in-mark.ts';
import { typed } from '../../lib/typed/typed.ts';
import { ErrorBanner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Download } from '../../ui/icons/lucide.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Section } from '../../ui/page/section.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useHasPassword } from './ways-in/use-has-password.ts';

/** Downloads all of the person's data. */
export function ExportData() {
  return (
    <Section title="Your data">
      <p className="mt-2 text-muted">
        One archive of everything in your account: agents, sessions, exchanges, memories, favorites, payments and
        messages to us as JSON, and your files as they are. The{' '}
        <Link to="/privacy" className="text-ink underline underline-offset-4">
          privacy text
        </Link>{' '}
        says how we treat it.
      </p>
      <a href={addressOf(exportCalls.export, {})} download className={buttonClass('secondary', 'md', 'mt-4')}>
        <Download className="size-4" />
        Export everything
      </a>
    </Section>
  );
}

/** Deletes the account; asks for the password where there is one. */
export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Delete your account">
      <p className="mt-2 text-muted">
        Your agents, sessions, memories, files and payments are deleted immediately and permanently, and Pro with them.
        Copies that other people made of your public agents stay theirs.
      </p>
      <Button className="mt-4" onClick={() => setOpen(true)}>
        Delete account…
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Delete your account?" description="This can’t be undone.">
        <DeleteForm onCancel={() => setOpen(false)} />
      </Dialog>
    </Section>
  );
}

function DeleteForm({ onCancel }: { onCancel: () => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const { user } = useAuth();
  const hasPassword = useHasPassword();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (working) return;
    const password = String(new FormData(event.currentTarget).get('password') ?? '');
    if (hasPassword && password === '') return setProblem('Password is required.');
    setProblem(null);
    setWorking(true);
    try {
      await asOwner(() => call(removalCalls.account, { body: hasPassword ? { password } : {} }));
      // A fresh document: nothing of the account stays in this tab's memory.
      markSignedIn(null);
      clearPages();
      typed.forget();
      window.location.replace('/');
    } catch (error) {
      setWorking(false);
      setProblem(errorText(error));
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <input type="text" name="username" autoComplete="username" defaultValue={user?.email} hidden readOnly />
      {hasPassword ? (
        <TextField
          label="Your password"
          error={problem}
          type="password"
          name="password"
          autoComplete="current-password"
          required
        />
      ) : (
        problem !== null && <ErrorBanner>{problem}</ErrorBanner>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" loading={working}>
          Delete everything
        </Button>
      </div>
    </form>
  );
}
