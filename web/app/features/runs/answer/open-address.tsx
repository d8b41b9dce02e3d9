import { AlertDialog } from '../../../ui/overlay/alert-dialog.tsx';

export interface OpenAddressProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  address: string;
  onConfirm: () => void;
}

/** Shows the whole address that an agent wrote, before the browser goes there. */
export default function OpenAddress({ address, ...question }: OpenAddressProps) {
  const { host } = new URL(address);
  return (
    <AlertDialog
      {...question}
      title="Open this address?"
      body={
        <>
          The agent wrote it, not you.{' '}
          {host === '' ? 'All of it goes to your mail program.' : `All of it is sent to ${host}.`}
          <span
            tabIndex={0}
            className="mt-3 block max-h-48 overflow-y-auto rounded bg-sunken p-2 font-mono text-ink text-sm [overflow-wrap:anywhere]"
          >
            {address}
          </span>
        </>
      }
      confirmLabel="Open"
    />
  );
}
