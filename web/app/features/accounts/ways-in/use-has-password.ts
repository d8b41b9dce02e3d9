import { useAuth } from '../../../lib/auth.tsx';

/** Whether the signed-in account has a password. */
export const useHasPassword = () =>
  useAuth().user?.providerData.some(({ providerId }) => providerId === 'password') ?? true;
