import { ProGate } from '../../features/accounts/pro-gate.tsx';
import { UpgradeButton } from '../../features/billing/upgrade-button.tsx';
import { CopyNotice } from './copy-notice.tsx';

/** For free accounts: how to get the library, and the copy they just made. */
export const Gate = () => (
  <ProGate upgrade={<UpgradeButton />}>
    <CopyNotice />
  </ProGate>
);
