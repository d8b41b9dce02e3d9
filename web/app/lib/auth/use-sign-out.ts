import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { askToDiscard, type DiscardWords, hasUnsaved } from '../../ui/overlay/unsaved.tsx';
import { useAuth } from '../auth.tsx';
import { toastError } from '../toast-error.ts';
import { typed } from '../typed/typed.ts';

/** Signs out, which forgets what is typed and not sent, and shows the sign-up page; asks first when something would be lost. */
export function useSignOut() {
  const { signOut } = useAuth();
  const navigate = useNavigate();
  const { mutate, isIdle, isError } = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate('/signup', { replace: true }),
    onError: toastError,
  });
  const go = () => mutate();
  return {
    leaving: !isIdle && !isError,
    leave() {
      const unsent = typed.unsent();
      if (unsent > 0) askToDiscard(go, undefined, signOutWords(unsent, hasUnsaved()));
      else if (hasUnsaved()) askToDiscard(go);
      else go();
    },
  };
}

/** The question before a sign-out that deletes unsent messages. */
export function signOutWords(unsent: number, unsaved: boolean): DiscardWords {
  const one = unsent === 1;
  return {
    title: one ? 'You have an unsent message' : `You have ${unsent} unsent messages`,
    body: `Signing out deletes ${one ? 'it' : 'them'} from this browser${unsaved ? ', and what you changed on this page is lost' : ''}.`,
    cancelLabel: 'Stay signed in',
    confirmLabel: 'Sign out',
  };
}
