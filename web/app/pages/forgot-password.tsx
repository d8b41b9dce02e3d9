import { AuthPage } from '../features/accounts/auth-page.tsx';
import { ForgotPassword } from '../features/accounts/forgot-password.tsx';
import { pageMeta } from '../lib/page-meta.ts';

export const meta = () => pageMeta('Forgot your password?', 'Choose a new password.', '/login/forgot');

export default function ForgotPasswordPage() {
  return (
    <AuthPage
      title="Forgot your password?"
      lead="Choose a new one; your agents and memories stay as they are."
      other={{ text: 'Remembered it?', label: 'Log in', to: '/login' }}
    >
      <ForgotPassword />
    </AuthPage>
  );
}
