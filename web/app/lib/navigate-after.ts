import { type NavigateOptions, useNavigate } from 'react-router';

/** Does `act` once an answer is there, unless the person has left the page that is open now. */
export function whileHere<Args extends unknown[]>(act: (...args: Args) => void) {
  const { href } = location;
  return (...args: Args) => {
    if (location.href === href) act(...args);
  };
}

/** Call the result when something is asked for, and what that returns once the answer is there: it navigates, unless the person has left the page. */
export function useNavigateAfter() {
  const navigate = useNavigate();
  return () => whileHere((to: string, options?: NavigateOptions) => void navigate(to, options));
}
