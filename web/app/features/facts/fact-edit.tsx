import { FACT_TEXT_MAX } from '@atelier/contract/facts';
import type { ReactNode } from 'react';
import { errorText } from '../../lib/http.ts';
import { openForm, useSavedText } from '../../lib/typed/saved-form.ts';
import { TextEdit } from '../../ui/list/text-edit.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUpdateFact } from './facts.api.ts';

export interface FactEditProps {
  id: string;
  text: string;
  onClose: () => void;
  /** Another action, beside those of the form. */
  more?: ReactNode;
}

const FORM = 'fact:';

/** The fact that was being corrected when the sign-in ended. */
export const readOpenFact = () => openForm(FORM);

/** Corrects a fact in place. */
export function FactEdit({ id, text, onClose, more }: FactEditProps) {
  const update = useUpdateFact();
  const [typed, type] = useSavedText(FORM + id, text);
  const save = (next: string) =>
    update.mutate(
      { id, text: next },
      {
        onSuccess: () => {
          toast.success('Corrected. The agent uses your text from now on.');
          onClose();
        },
      },
    );
  return (
    <TextEdit
      label="What is true"
      text={text}
      typed={typed}
      onType={type}
      rows={2}
      maxLength={FACT_TEXT_MAX}
      enterSaves
      saving={update.isPending}
      error={update.isError ? errorText(update.error) : null}
      onSave={save}
      onClose={onClose}
      more={more}
    />
  );
}
