import { Link } from 'react-router';
import { buttonClass } from '../button.tsx';

/** What an unknown address shows, and one that isn't there for whoever asks. */
export function NoPage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      <p className="font-mono text-muted text-sm">404</p>
      <h1 className="font-semibold text-2xl">There is no page at this address.</h1>
      <div className="flex flex-wrap justify-center gap-3">
        <Link to="/runtime" className={buttonClass('primary')}>
          Open the runtime
        </Link>
        <Link to="/" className={buttonClass()}>
          Go to the start page
        </Link>
      </div>
    </main>
  );
}
