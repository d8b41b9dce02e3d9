import { useEffect, useState } from 'react';
import { z } from 'zod';
import { typed } from './typed.ts';
import { attempt } from './words.ts';

const nameOf = (form: string) => `form:${form}`;

/** What was typed into a form that was open when the sign-in ended or the page was loaded again; undefined when nothing was, or in another shape. */
export function savedForm<T>(form: string, shape: z.ZodType<T>): T | undefined {
  const text = typed.own.read(nameOf(form));
  return text === null ? undefined : shape.safeParse(attempt(() => JSON.parse(text))).data;
}

/** Of the forms whose names begin like this, the rest of the name of one that was open, so that it opens again. */
export function openForm(prefix: string): string | undefined {
  return typed.own.names(nameOf(prefix))[0]?.slice(nameOf(prefix).length);
}

/**
 * Keeps what is typed into a form, in this tab, until it is closed by the person: then it is saved or discarded. `value` is undefined
 * while nothing would be lost. Never give it a password, a code or a token.
 */
export function useSavedForm(form: string, value: unknown): void {
  const text = value === undefined ? null : JSON.stringify(value);
  useEffect(() => typed.own.write(nameOf(form), text), [form, text]);
  useEffect(() => {
    return () => {
      if (typed.isPresent()) typed.own.write(nameOf(form), null);
    };
  }, [form]);
}

/** The text of a form's only field: `before`, whatever that is by now, until something is written. Kept while it differs. */
export function useSavedText(form: string, before: string): [text: string, write: (text: string) => void] {
  const [written, write] = useState(() => savedForm(form, z.string()));
  const text = written ?? before;
  useSavedForm(form, text === before ? undefined : text);
  return [text, write];
}
