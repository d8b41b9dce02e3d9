import { type ComponentProps, useState } from 'react';
import type { FieldControlProps } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Eye, EyeOff } from '../../../ui/icons/lucide.ts';
import { TextInput } from '../../../ui/text-input.tsx';

/** A password field whose text can be shown. */
export function PasswordInput(props: FieldControlProps & ComponentProps<'input'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="relative block">
      <TextInput {...props} type={shown ? 'text' : 'password'} spellCheck={false} className="pr-12" />
      <IconButton
        label={shown ? 'Hide password' : 'Show password'}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 right-0.5 touch:top-0 touch:right-0"
        Icon={Icon}
      />
    </span>
  );
}
