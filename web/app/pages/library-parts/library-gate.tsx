import { ProGate } from '../../features/accounts/pro-gate.tsx';
import { UpgradeButton } from '../../features/billing/upgrade-button.tsx';
import { CopiedNotice } from './copied-notice.tsx';

/** For free accounts: the copy they just made, where their agents are, and how to get the library. */
export function Gate() {
  return (
    <>
      <CopiedNotice />
      <ProGate upgrade={<UpgradeButton />}>
        <p>Your agents are on the Runtime page. You can talk with them there.</p>
      </ProGate>
    </>
  );
}
