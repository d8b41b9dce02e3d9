import { PRODUCT_NAME } from '@atelier/contract/product';
import { sharedPath } from '@atelier/contract/shares';
import { useParams } from 'react-router';
import { PublicPage } from '../features/accounts/public-page.tsx';
import { useAnswerFormat } from '../features/runs/answer/answer-format.ts';
import { AnswerText } from '../features/runs/answer/answer-text.tsx';
import { SharedView } from '../features/shares/shared-view.tsx';
import { useShared } from '../features/shares/shares.api.ts';
import { ApiError } from '../lib/http.ts';
import { LoadFailure } from '../lib/load-failure.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/skeleton.tsx';

const TITLE = 'A shared conversation';
const DESCRIPTION = `Somebody shared a conversation with an AI agent, made in ${PRODUCT_NAME}.`;
/** No search engine lists the page, and a preview of the link says nothing of what is shared. */
export const meta = () => [
  { title: `${TITLE} · ${PRODUCT_NAME}` },
  { name: 'description', content: DESCRIPTION },
  { name: 'robots', content: 'noindex' },
  { property: 'og:type', content: 'website' },
  { property: 'og:site_name', content: PRODUCT_NAME },
  { property: 'og:title', content: `${TITLE} · ${PRODUCT_NAME}` },
  { property: 'og:description', content: DESCRIPTION },
];

const renderAnswer = (text: string, words: string) => <AnswerText text={text} live={false} words={words} />;

/** /shared/:token: what a link shows, for anyone who has it. */
export default function SharedPage() {
  return (
    <PublicPage>
      {/* As high as the window: the footer must not move when the conversation arrives. */}
      <div className="mx-auto min-h-dvh w-full max-w-3xl px-5 py-6 sm:px-8">
        <Content token={useParams().token ?? ''} />
      </div>
    </PublicPage>
  );
}

function Content({ token }: { token: string }) {
  const shared = useShared(token);
  const { loaded } = useAnswerFormat();
  // Answers shown before they can be formatted would jump.
  if (shared.data && loaded) {
    const action = shared.data.mayCopy && (
      <ButtonLink to={`${sharedPath(token)}/continue`} variant="primary">
        Continue with a copy of this agent
      </ButtonLink>
    );
    return <SharedView shared={shared.data} renderAnswer={renderAnswer} action={action} />;
  }
  if (shared.error instanceof ApiError && shared.error.status === 404) return <NothingShared />;
  if (shared.isLoadingError) {
    return (
      <>
        <h1 className="sr-only">{TITLE}</h1>
        <LoadFailure of={shared} />
      </>
    );
  }
  return (
    <>
      {/* `first-words.tsx` may have filled it before the application ran, which keeps what is in it. */}
      <div id="first-words" className="peer" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
      <div className="peer-not-empty:hidden">
        <h1 className="sr-only">{TITLE}</h1>
        <Loading label="Loading the conversation" className="flex flex-col gap-6" parts={['h-16', 'h-20', 'h-48']} />
      </div>
    </>
  );
}

function NothingShared() {
  return (
    <div className="flex flex-col gap-6">
      <h1 className="font-semibold text-2xl">Nothing is shared here</h1>
      <EmptyState
        title="This link is incomplete or no longer works. Ask the person who shared it for a new one."
        action={<ButtonLink to="/">See what {PRODUCT_NAME} is</ButtonLink>}
      />
    </div>
  );
}
