import deskDark from '../../pictures/runtime-desk-dark.webp';
import deskLight from '../../pictures/runtime-desk-light.webp';
import phoneDark from '../../pictures/runtime-phone-dark.webp';
import phoneLight from '../../pictures/runtime-phone-light.webp';
import { classes } from '../../ui/classes.ts';

const PHONE = '(max-width: 639px)';
const ALT =
  'The runtime: to “What is Nora allergic to?” the agent Trip Planner answers “My sister Nora is allergic to peanuts”, and below it is the number of memories it used.';

/** The running product, taken by `npm run pictures`; the picture of the other colour scheme is not loaded. */
export function ProductPicture() {
  return (
    <figure className="mx-auto mt-14 w-full max-w-6xl px-5 sm:px-8">
      <Scheme desk={deskLight} phone={phoneLight} className="dark:hidden" />
      <Scheme desk={deskDark} phone={phoneDark} className="hidden dark:block" />
      <figcaption className="mt-3 text-muted text-sm">
        A real answer of the built-in offline model. “2 memories” opens what it drew on, each with its source.
      </figcaption>
    </figure>
  );
}

function Scheme({ desk, phone, className }: { desk: string; phone: string; className: string }) {
  return (
    <picture className={classes('mx-auto max-w-96 sm:max-w-none', className)}>
      <source media={PHONE} srcSet={phone} width={780} height={1400} />
      <img
        src={desk}
        alt={ALT}
        width={1920}
        height={1200}
        loading="lazy"
        decoding="async"
        className="h-auto w-full rounded-lg border"
      />
    </picture>
  );
}
