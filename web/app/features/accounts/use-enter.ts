import { useAuth } from '../../lib/auth.tsx';
import { tellSignInChange } from '../../lib/sign-in-channel.ts';

/** Signs in or up with `post`, tells every tab, and waits until this one knows the user. Throws ApiError. */
export function useEnter() {
  const { refresh } = useAuth();
  return async (post: () => Promise<void>) => {
    await post();
    tellSignInChange('came');
    await refresh();
  };
}
