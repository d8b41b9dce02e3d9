import { FACT_TEXT_MAX } from '@atelier/contract/facts';
import type { ReactNode } from 'react';
import { openForm } from '../../lib/typed/saved-form.ts';
import { TextEdit } from '../../lib/typed/text-edit.tsx';
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
      form={FORM + id}
      text={text}
      rows={2}
      maxLength={FACT_TEXT_MAX}
      enterSaves
      update={update}
      onSave={save}
      onClose={onClose}
      more={more}
    />
  );
}
