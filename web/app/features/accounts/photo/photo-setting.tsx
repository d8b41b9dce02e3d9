import { photoCalls } from '@atelier/contract/accounts';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useId, useRef } from 'react';
import { useAuth } from '../../../lib/auth.tsx';
import { addressOf, call, errorText, sendBytes } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast-error.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { Setting } from '../../../ui/page/section.tsx';
import { squarePhoto } from './square-photo.ts';

/** A file that the browser can't read as a picture. */
class NotAPicture extends Error {}

async function putPhoto(file: File): Promise<void> {
  const photo = await squarePhoto(file).catch(() => {
    throw new NotAPicture();
  });
  await sendBytes(addressOf(photoCalls.set, {}), photo);
}

const problemOf = (error: unknown) =>
  error instanceof NotAPicture ? 'This file is not a picture. Choose a PNG, JPEG or WebP file.' : errorText(error);

/** The person's photo, how to change it, and how to remove it. */
export function PhotoSetting() {
  const { user, refresh } = useAuth();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const put = useMutation({
    mutationFn: putPhoto,
    onSuccess: async () => {
      await refresh();
      toast.success('Photo changed.');
    },
  });
  const remove = useMutation({
    mutationFn: () => call(photoCalls.remove),
    onSuccess: refresh,
    onError: toastError,
  });
  if (user === null) return null;
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.currentTarget.files?.[0];
    // The same file again is a change too.
    event.currentTarget.value = '';
    if (file !== undefined) put.mutate(file);
  };
  const actions = (
    <>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label="Photo file"
        hidden
        onChange={choose}
      />
      <Button
        loading={put.isPending}
        aria-describedby={put.isError ? id : undefined}
        onClick={() => input.current?.click()}
      >
        {user.photoURL === null ? 'Add a photo…' : 'Change photo…'}
      </Button>
      {user.photoURL !== null && (
        <Button loading={remove.isPending} onClick={() => remove.mutate()}>
          Remove photo
        </Button>
      )}
    </>
  );
  return (
    <Setting label="Photo" actions={actions}>
      <span className="mt-1 flex items-center gap-3">
        <Avatar name={user.displayName} photo={user.photoURL} size={56} />
        Only you see it.
      </span>
      {put.isError && (
        <p id={id} role="alert" className="mt-2 text-danger text-sm">
          {problemOf(put.error)}
        </p>
      )}
    </Setting>
  );
}
