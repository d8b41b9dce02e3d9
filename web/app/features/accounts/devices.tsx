import { describeDevice } from '@atelier/contract/accounts/activity';
import { signInCalls } from '@atelier/contract/accounts/sign-in';
import { settingsCalls } from '@atelier/contract/accounts/ways';
import { useMutation, useQuery } from '@tanstack/react-query';
import { asOwner } from '../../lib/auth/as-owner.ts';
import { call } from '../../lib/http.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { queryClient } from '../../lib/query.ts';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { minuteOf } from '../../ui/formats.ts';
import { Section, Setting } from '../../ui/page/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

async function fetchDevices(signal: AbortSignal) {
  const [all, current] = await Promise.all([
    call(settingsCalls.devices, { signal }),
    call(signInCalls.get, { signal }),
  ]);
  const devices = all.map((device) => ({ ...device, isHere: device.id === current?.session.id }));
  return devices.sort(
    (a, b) => Number(b.isHere) - Number(a.isHere) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt),
  );
}

/** Where the account is signed in, each with its sign-out. */
export function Devices() {
  const devices = useQuery({ queryKey: devicesKey, queryFn: ({ signal }) => fetchDevices(signal) });
  const signOut = useMutation({
    mutationFn: (token: string) => asOwner(() => call(settingsCalls.signOutDevice, { body: { token } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: devicesKey }),
    onError: toastError,
  });
  return (
    <Section title="Devices">
      {devices.isPending && <Skeleton className="mt-4 h-14" />}
      <LoadFailure of={devices} className="mt-4" />
      {devices.data?.map(({ id, userAgent, ipAddress, createdAt, isHere }) => {
        const name = describeDevice(userAgent ?? '');
        const action = (
          <Button
            size="sm"
            aria-label={`Sign out ${name}, signed in ${minuteOf(createdAt)}`}
            loading={signOut.isPending && signOut.variables === id}
            onClick={() => signOut.mutate(id)}
          >
            Sign out
          </Button>
        );
        return (
          <Setting key={id} label={isHere ? `${name} (this one)` : name} actions={isHere ? undefined : action}>
            <span className="text-sm">
              Signed in {minuteOf(createdAt)}
              {ipAddress ? `, from ${ipAddress}` : ''}
            </span>
          </Setting>
        );
      })}
    </Section>
  );
}

/** Devices refresh with their page and not by notices: after a sign-out elsewhere, asking for them would only be refused. */
export const devicesKey = ['devices'];
