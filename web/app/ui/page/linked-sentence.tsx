import { Link, useLocation } from 'react-router';

const PLACES = new Map([
  ['contact support', '/contact'],
  ['log in', '/login'],
]);
const ANY = /(contact support|log in)/iu;

/** A sentence in which “contact support” and “log in” lead there. Logging in leads on to where one was going. */
export function LinkedSentence({ children }: { children: string }) {
  const { pathname, state } = useLocation();
  return children.split(ANY).map((words) => {
    const place = PLACES.get(words.toLowerCase());
    if (place === undefined || place === pathname) return words;
    return (
      <Link
        key={words}
        to={place}
        state={place === '/login' ? state : undefined}
        className="underline underline-offset-2"
      >
        {words}
      </Link>
    );
  });
}
