import { Link } from 'react-router';
import { Brand } from './brand.tsx';

/** Sign and name, leading to the start page. */
export function HomeLink({ brand }: { brand: string }) {
  return (
    <Link to="/" className="rounded">
      <Brand name={brand} />
    </Link>
  );
}
