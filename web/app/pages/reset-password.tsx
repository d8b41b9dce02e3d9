import { AuthPage } from '../features/accounts/auth-page.tsx';
import { ResetPassword } from '../features/accounts/reset-password.tsx';
import { pageMeta } from '../lib/page-meta.ts';

export const meta = () => pageMeta('Choose a new password', 'Choose a new password.', '/login/reset');

export default function ResetPasswordPage() {
  return (
    <AuthPage
      title="Choose a new password"
      lead="It signs out all your devices."
      other={{ text: 'The link doesn’t work?', label: 'Get another one', to: '/login/forgot' }}
      signedIn="stay"
    >
      <ResetPassword />
    </AuthPage>
  );
}
