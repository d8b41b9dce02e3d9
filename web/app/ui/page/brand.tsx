import { Link } from 'react-router';
import { classes } from '../classes.ts';

/** The logo: two boards joined by a dovetail. */
function BrandSign() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 shrink-0">
      <path d="M5 2h14a3 3 0 0 1 3 3v6h-6.2l2 7.2H6.2l2-7.2H2V5a3 3 0 0 1 3-3Z" fill="currentColor" />
      <path
        d="M2 12.6h4.1l-2 7.2h15.8l-2-7.2H22V19a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3Z"
        fill="currentColor"
        fillOpacity="0.5"
      />
    </svg>
  );
}

/** Logo and name. */
export function Brand({ name, className }: { name: string; className?: string }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-2 touch:min-h-11 font-semibold text-lg tracking-tight',
        className,
      )}
    >
      <BrandSign />
      {name}
    </span>
  );
}

/** Logo and name, linking to the start page. */
export function HomeLink({ brand }: { brand: string }) {
  return (
    <Link to="/" className="rounded">
      <Brand name={brand} />
    </Link>
  );
}
