import { Link } from 'react-router';
import { Brand } from './brand.tsx';

/** Logo and name, linking to the start page. */
export function HomeLink({ brand }: { brand: string }) {
  return (
    <Link to="/" className="rounded">
      <Brand name={brand} />
    </Link>
  );
}
