import { tellSignInChange } from '../../lib/auth/sign-in-channel.ts';
import { useAuth } from '../../lib/auth.tsx';

/** Signs in or up with `post`, tells every tab, and waits until this one knows the user. Throws ApiError. */
export function useEnter() {
  const { refresh } = useAuth();
  return async (post: () => Promise<void>) => {
    await post();
    tellSignInChange('came');
    await refresh();
  };
}
