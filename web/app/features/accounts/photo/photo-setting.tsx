import { PHOTO_LIMITS, photoCalls } from '@atelier/contract/accounts';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useAuth } from '../../../lib/auth.tsx';
import { addressOf, call, errorText, sendBytes } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast-error.ts';
import { useFilePicker } from '../../../lib/uploads/use-file-picker.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { Setting } from '../../../ui/page/section.tsx';

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
  const picker = useFilePicker({ 'aria-label': 'Photo file', accept: 'image/png,image/jpeg,image/webp' }, ([file]) =>
    put.mutate(file),
  );
  if (user === null) return null;
  const actions = (
    <>
      {picker.input}
      <Button loading={put.isPending} aria-describedby={put.isError ? id : undefined} onClick={picker.open}>
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

/** The middle of a picture as a square photo, small enough to be stored. Throws when the browser can't read the file as a picture. */
async function squarePhoto(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const { side } = PHOTO_LIMITS;
  const cut = Math.min(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const [left, top] = [(picture.width - cut) / 2, (picture.height - cut) / 2];
  canvas.getContext('2d')?.drawImage(picture, left, top, cut, cut, 0, 0, side, side);
  picture.close();
  // A browser that can't write WebP writes PNG.
  const photo = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.9));
  if (photo === null) throw new Error('the browser could not write the photo');
  return photo;
}
