import { type RefObject, useState } from 'react';
import { ApiError, errorText } from '../../lib/http.ts';
import { type AgentFieldErrors, type AgentFormState, fieldOf } from './agent-form-state.ts';

/** What is wrong with the form: a sentence for each field, or for the whole. */
export function useWrong(form: RefObject<HTMLFormElement | null>) {
  const [errors, setErrors] = useState<AgentFieldErrors>({});
  const [failure, setFailure] = useState('');

  /** Shows the sentences and goes to the first; says whether there was any. */
  const refuse = (next: AgentFieldErrors): boolean => {
    setFailure('');
    setErrors(next);
    const control = [...(form.current?.elements ?? [])].find((one) => (one.getAttribute('name') ?? '') in next);
    control?.closest('details')?.setAttribute('open', '');
    if (control instanceof HTMLElement) control.focus();
    return Object.keys(next).length > 0;
  };

  const fail = (error: Error) => {
    const field = error instanceof ApiError ? (fieldOf(error.field) ?? conflictField(error)) : undefined;
    if (field) refuse({ [field]: errorText(error) });
    else setFailure(errorText(error));
  };

  // A sentence about a field goes as soon as the field is touched.
  const touch = (part: Partial<AgentFormState>) =>
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))));

  return { errors, failure, refuse, fail, touch };
}

/** The only thing of an agent that can be taken is its name. */
const conflictField = (error: ApiError) => (error.status === 409 ? 'name' : undefined);
