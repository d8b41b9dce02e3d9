/** `came`: somebody signed in. `left`: somebody signed out on purpose. */
export type SignInChange = 'came' | 'left';

const NAME = 'sign-in';
let channel: BroadcastChannel | undefined;
const open = () => {
  channel ??= new BroadcastChannel(NAME);
  return channel;
};

/** Tells the browser's other tabs that the sign-in changed; they ask the server who it is now. */
export function tellSignInChange(change: SignInChange): void {
  open().postMessage(change);
}

/** Listens to the other tabs. Returns a function that stops. */
export function onSignInChange(listener: (change: SignInChange) => void): () => void {
  const hear = (event: MessageEvent<SignInChange>) => listener(event.data);
  const target = open();
  target.addEventListener('message', hear);
  return () => target.removeEventListener('message', hear);
}
