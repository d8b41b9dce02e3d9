import { CONTACT_NOTICE_MS } from '@atelier/contract/contact';
import { SENTENCES } from '@atelier/contract/errors';
import { type ReactNode, useEffect } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { VISIT } from '../../lib/typed/visits.ts';
import { WORDS } from '../../lib/typed/words.ts';
import { buttonClass } from '../../ui/button.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';

/** Tells `contact-form.js` that a form has appeared, or that somebody else is signed in; it looks once by itself when it loads. */
const APPEARED = 'contact-form';

/**
 * The contact page's form. The page is written at build time without the application, so `public/contact-form.js` does the work, both there
 * and in the application; its sentences are here.
 */
export function ContactForm() {
  const uid = useAuth().user?.uid;
  useEffect(() => void window.dispatchEvent(new Event(APPEARED)), [uid]);
  return (
    <form
      method="post"
      action="/contact"
      noValidate
      data-contact=""
      data-sent={SENTENCES.contactSent}
      data-failed={SENTENCES.contactFailed}
      data-unreached="The server could not be reached."
      data-notice-ms={CONTACT_NOTICE_MS}
      data-draft={WORDS}
      data-visit={VISIT}
      className="flex flex-col"
    >
      <script async type="module" src="/contact-form.js" data-kept="" />
      <Line
        name="message"
        label="Message"
        missing="Message is required."
        wrong="The message can have at most 5,000 characters."
      >
        {(props) => <TextArea {...props} rows={8} className="min-h-48" />}
      </Line>
      <Line
        name="email"
        label="Your email address"
        missing={SENTENCES.contactEmail}
        wrong="This is not an email address."
      >
        {(props) => <TextInput {...props} type="email" autoComplete="email" />}
      </Line>
      <p hidden>
        <label>
          Leave this empty
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </p>
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2">
        <button
          type="submit"
          disabled
          data-working="Sending..."
          className={buttonClass('primary', 'md', 'min-w-40 disabled:opacity-100')}
        >
          Send Message
        </button>
        <p
          role="status"
          className="flex-1 font-semibold not-empty:basis-56 data-[tone=bad]:text-danger data-[tone=good]:text-success"
        />
      </div>
      <noscript>
        <p className="mt-3 text-muted">Sending needs JavaScript, which is switched off in this browser.</p>
      </noscript>
    </form>
  );
}

interface LineProps {
  name: 'message' | 'email';
  label: string;
  missing: string;
  wrong: string;
  children: (props: { id: string; name: string; required: true; 'aria-describedby': string }) => ReactNode;
}

/** A label, its control, and a line reserved for the error, so that nothing moves when it appears. */
function Line({ name, label, missing, wrong, children }: LineProps) {
  const id = `contact-${name}`;
  return (
    <div className="flex flex-col gap-1" data-missing={missing} data-wrong={wrong}>
      <label htmlFor={id} className="font-semibold text-sm">
        {label}
      </label>
      {children({ id, name, required: true, 'aria-describedby': `${id}-error` })}
      <p id={`${id}-error`} className="min-h-6 text-danger text-sm" />
    </div>
  );
}
