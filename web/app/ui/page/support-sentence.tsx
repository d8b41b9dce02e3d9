import { Link } from 'react-router';

const SUPPORT = 'contact support';

/** A sentence in which “contact support”, if it occurs, is a link. */
export function SupportSentence({ children }: { children: string }) {
  const [before, after] = children.split(SUPPORT);
  if (after === undefined) return children;
  return (
    <>
      {before}
      <Link to="/contact" className="underline underline-offset-2">
        {SUPPORT}
      </Link>
      {after}
    </>
  );
}
