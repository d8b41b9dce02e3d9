import { useState } from 'react';
import { toastError } from '../../lib/toast-error.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { useFactSettings, useSwitchFacts } from './facts.api.ts';

const HINTS = {
  model: 'After an answer, the model is asked once more which lasting facts you stated. Only your own words are sent.',
  rules: 'Found by rules on this server, in your own words only.',
  off: 'The operator of this server has switched it off.',
};

/** Whether new facts are kept for this account. */
export function FactSwitch() {
  const { data, isError } = useFactSettings();
  const change = useSwitchFacts();
  const [wanted, setWanted] = useState<boolean>();
  const isOff = data?.installation === 'off';
  // A blank line keeps the place of the hint.
  const unknown = isError ? 'This setting could not be loaded.' : '\u00A0';
  return (
    <Checkbox
      label="Keep facts from what I say"
      hint={data === undefined ? unknown : HINTS[data.installation]}
      checked={!isOff && (wanted ?? data?.distil ?? true)}
      disabled={data === undefined || isOff}
      onChange={(e) => {
        setWanted(e.target.checked);
        change.mutate(e.target.checked, {
          onError: toastError,
          onSettled: () => setWanted(undefined),
        });
      }}
    />
  );
}
