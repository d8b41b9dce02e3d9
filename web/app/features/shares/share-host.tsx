import { shareOpen } from '../../lib/share-open.ts';
import { later } from '../../ui/later.tsx';

const ShareDialog = later(() => import('./share-dialog.tsx'));
const close = () => shareOpen.set(null);

/** The dialog that shares a session or an answer, wherever it is asked for. */
export function ShareHost() {
  const shared = shareOpen.useValue();
  return <ShareDialog open={shared !== null} shared={shared} onClose={close} />;
}
