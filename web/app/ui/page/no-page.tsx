import { ButtonLink } from '../button-link.tsx';

/** What an unknown address shows, and one that isn't there for whoever asks. */
export function NoPage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6 text-center">
      <p className="font-mono text-muted text-sm">404</p>
      <h1 className="font-semibold text-2xl">There is no page at this address.</h1>
      <div className="flex flex-wrap justify-center gap-3">
        <ButtonLink to="/runtime" variant="primary">
          Open the runtime
        </ButtonLink>
        <ButtonLink to="/">Go to the start page</ButtonLink>
      </div>
    </main>
  );
}
