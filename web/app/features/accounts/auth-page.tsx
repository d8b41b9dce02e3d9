import { PRODUCT_NAME } from '@atelier/contract/product';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { tellSignInChange } from '../../lib/auth/sign-in-channel.ts';
import { useAuth } from '../../lib/auth.tsx';
import { ConnectionNotice } from '../../lib/live/connection-notice.tsx';
import { WHOLE } from '../../lib/page-meta.ts';
import { returnPlace } from '../../lib/return-place.ts';
import { typed } from '../../lib/typed/typed.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Brand } from '../../ui/page/brand.tsx';
import { LinkedSentence } from '../../ui/page/linked-sentence.tsx';
import { whenIdle } from '../../ui/when-idle.ts';
import { useSignInProblem } from './ways-in/sign-in-problem.ts';

export interface AuthPageProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
  /** The link to the other of the two pages. */
  other?: { text: string; label: string; to: '/login' | '/signup' | '/login/forgot' };
  /** Below everything else, where it moves nothing when it comes late. */
  below?: ReactNode;
  /** What happens to somebody who is signed in: they go on to where they were going, or stay. */
  signedIn?: 'go-on' | 'stay';
}

/** The frame of login, sign-up and the pages of mailed links. */
export function AuthPage({ title, lead, children, other, below, signedIn = 'go-on' }: AuthPageProps) {
  const { user, ended } = useAuth();
  const problem = useSignInProblem();
  const { state: passed, search } = useLocation();
  // Pages without the application put the place in the address.
  const state: unknown = passed ?? { from: new URLSearchParams(search).get('from') };
  if (user !== null && signedIn === 'go-on')
    return <Navigate to={returnPlace(state, window.location.origin)} replace />;
  return (
    <div id={WHOLE} className="flex min-h-dvh flex-row-reverse">
      <Inlay />
      <div className="flex min-w-0 flex-1 flex-col px-5 py-6 sm:px-10">
        <div className="-mx-5 -mt-6 mb-6 sm:-mx-10">
          <ConnectionNotice />
        </div>
        <header>
          <Link to="/" className="inline-block rounded">
            <Brand name={PRODUCT_NAME} />
          </Link>
        </header>
        {/* Near the middle, by the window's height and not its own: neither content parsed later nor an error moves it. */}
        <main className="group mx-auto mt-[max(0px,calc(50dvh-18.5rem))] w-full max-w-sm py-10">
          <h1 className="font-semibold text-3xl tracking-tight">{title}</h1>
          <p className="mt-2 mb-8 text-muted">{lead}</p>
          <SignInEnded sentence={ended} />
          {problem !== null && (
            <ErrorBanner className="mb-6">
              <LinkedSentence>{problem}</LinkedSentence>
            </ErrorBanner>
          )}
          {children}
          {other !== undefined && (
            // Without a form it is another page, not this line moved.
            <p key={children ? 'below' : 'alone'} className="mt-6 text-muted">
              {other.text}{' '}
              <Link to={other.to} state={state} className="font-semibold text-ink underline underline-offset-4">
                {other.label}
              </Link>
            </p>
          )}
          {below}
        </main>
      </div>
    </div>
  );
}

const WIDE = '(min-width: 64rem)';
const marks = Array.from({ length: 48 }, (_, i) => `inlay ${i * 7}`);

/**
 * A wall of agent marks. Decoration only: its space is reserved from the beginning and the marks come with the application, because they
 * would be three quarters of the document, and a page parsed in pieces moves.
 */
function Inlay() {
  const [running, setRunning] = useState(false);
  useEffect(() => {
    const show = () => setRunning(true);
    // Hidden in a narrow window, ready if it becomes wide.
    return matchMedia(WIDE).matches ? show() : whenIdle(show);
  }, []);
  return (
    <div
      aria-hidden="true"
      className="hidden w-[42%] max-w-2xl items-center justify-center overflow-hidden border-l bg-sunken lg:flex"
    >
      {running && (
        <div className="grid animate-fade grid-cols-6 gap-3">
          {marks.map((id) => (
            <AgentMark key={id} id={id} size={64} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Says that a sign-in ended by itself, and that what was typed waits in this browser: to be deleted, if somebody else may come. */
function SignInEnded({ sentence }: { sentence: string | null }) {
  const waits = useSyncExternalStore(typed.subscribe, typed.hasWords, () => false);
  if (sentence === null && !waits) return null;
  const remove = () => {
    typed.forget();
    tellSignInChange('left');
    document.querySelector('input')?.focus();
    toast.success('Deleted from this browser.');
  };
  return (
    <Banner
      tone={sentence === null ? 'info' : 'warning'}
      role="status"
      className={waits ? 'mb-6' : 'mb-6 group-has-[[role=alert]]:hidden'}
    >
      {/* An error below the form is newer, and often says the same. */}
      {sentence !== null && (
        <p className="group-has-[[role=alert]]:hidden">
          <LinkedSentence>{sentence}</LinkedSentence>
        </p>
      )}
      {waits && (
        <>
          <p>
            <LinkedSentence>
              What you typed is kept in this browser for 7 days. Log in to the same account to go on.
            </LinkedSentence>
          </p>
          <Button size="sm" className="mt-2" onClick={remove}>
            Delete it
          </Button>
        </>
      )}
    </Banner>
  );
}
