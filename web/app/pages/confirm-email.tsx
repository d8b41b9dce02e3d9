import { AuthPage } from '../features/accounts/auth-page.tsx';
import { ConfirmEmail } from '../features/accounts/confirm-email.tsx';
import { pageMeta } from '../lib/page-meta.ts';

export const meta = () => pageMeta('Confirm your email', 'Confirm your email.', '/login/confirm');

export default function ConfirmEmailPage() {
  return (
    <AuthPage title="Confirm your email" lead="One click shows that this address is yours." signedIn="stay">
      <ConfirmEmail />
    </AuthPage>
  );
}
