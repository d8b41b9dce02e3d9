import { type NavigateOptions, useNavigate } from 'react-router';

/** Call the result when something is asked for, and what that returns once the answer is there: it navigates, unless the person has left the page. */
export function useNavigateAfter() {
  const navigate = useNavigate();
  return () => {
    const { href } = location;
    return (to: string, options?: NavigateOptions) => {
      if (location.href === href) void navigate(to, options);
    };
  };
}
