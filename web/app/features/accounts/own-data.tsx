import { deleteAccountAnswer } from '@atelier/contract/accounts';
import { Download } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { useAuth } from '../../lib/auth.tsx';
import { errorText, request } from '../../lib/http.ts';
import { markSignedIn } from '../../lib/sign-in-mark.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** Downloads all of the person's data. */
export function ExportData() {
  return (
    <section aria-labelledby="export" className="rounded-lg border bg-raised p-6">
      <h2 id="export" className="font-semibold text-xl">
        Your data
      </h2>
      <p className="mt-2 text-muted">
        One archive with everything that is stored of your account: agents, sessions, exchanges, memories, favorites,
        payments and messages to us as JSON, and your files as they are. How we treat it stands in the{' '}
        <Link to="/privacy" className="text-ink underline underline-offset-4">
          privacy text
        </Link>
        .
      </p>
      <a href="/api/export" download className={buttonClass('secondary', 'md', 'mt-4')}>
        <Download aria-hidden="true" className="size-4" />
        Export everything
      </a>
    </section>
  );
}

/** Deletes the account; asks for the password. */
export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  return (
    <section aria-labelledby="delete" className="rounded-lg border bg-raised p-6">
      <h2 id="delete" className="font-semibold text-xl">
        Delete your account
      </h2>
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
    </section>
  );
}

function DeleteForm({ onCancel }: { onCancel: () => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const { user } = useAuth();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (working) return;
    const password = String(new FormData(event.currentTarget).get('password') ?? '');
    if (password === '') return setProblem('Password is required.');
    setProblem(null);
    setWorking(true);
    try {
      await request(deleteAccountAnswer, 'DELETE', '/api/me', { password });
      // A fresh document: nothing of the account stays in this tab's memory.
      markSignedIn(false);
      window.location.replace('/');
    } catch (error) {
      setWorking(false);
      setProblem(errorText(error));
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <input type="text" name="username" autoComplete="username" defaultValue={user?.email} hidden readOnly />
      <Field label="Your password" error={problem}>
        {(props) => <TextInput {...props} type="password" name="password" autoComplete="current-password" required />}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" loading={working}>
          Delete everything
        </Button>
      </div>
    </form>
  );
}
