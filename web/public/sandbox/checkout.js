// The checkout page of the sandbox. It speaks the protocol of Paystack's own frame, so that the library on the page behind it can't
// tell the difference; what a customer would do, a person chooses here. No money moves.
const sections = ['waiting', 'choices', 'silence'].map((id) => document.getElementById(id));
const buttons = [...document.querySelectorAll('[data-outcome]')];
const trouble = document.getElementById('trouble');
let accessCode = null;
let working = false;

const post = (message) => parent.postMessage(message, location.origin);
const send = (event, data = {}) => post({ event, data });
/** Beside the protocol: lets the page behind wait for as long as somebody reads this. */
const tell = (sandbox) => post({ sandbox });

function show(id) {
  for (const section of sections) section.hidden = section.id !== id;
  document.querySelector(`#${id} [tabindex]`)?.focus();
}

function setWorking(on) {
  working = on;
  for (const button of buttons) button.setAttribute('aria-disabled', String(on));
}

/** What the frame says for each outcome, once the sandbox knows of it. */
const speak = {
  success: ({ reference }) => {
    const id = Date.now();
    send('success', {
      reference,
      status: 'success',
      message: 'Approved',
      trans: id,
      transaction: id,
      trxref: reference,
    });
  },
  decline: () => send('close', { status: 'failed' }),
  cancel: () => send('cancel', { status: 'abandoned' }),
  pending: () => send('transfer:pending', { status: 'pending' }),
  setup_error: () => send('error', { type: 'setup', message: 'The sandbox was told to fail.' }),
  silence: () => {
    show('silence');
    tell('silent');
  },
};
const APPEARS = new Set(['success', 'decline', 'cancel', 'pending']);

async function choose(outcome) {
  if (working || accessCode === null) return;
  setWorking(true);
  trouble.textContent = '';
  const chosen = accessCode;
  try {
    const response = await fetch(`/api/sandbox/checkout/${encodeURIComponent(chosen)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error?.message ?? 'The sandbox refused.');
    if (chosen !== accessCode) return;
    if (APPEARS.has(outcome)) send('loaded:transaction', { id: Date.now(), customer: {}, accessCode });
    speak[outcome](answer);
  } catch (error) {
    trouble.textContent = error instanceof Error ? error.message : 'The sandbox could not be reached.';
  } finally {
    setWorking(false);
  }
}

addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== location.origin) return;
  if (data?.type === 'inline:url' && typeof data.params?.accessCode === 'string') {
    if (accessCode === data.params.accessCode) return;
    accessCode = data.params.accessCode;
    show('choices');
    tell('choosing');
  }
  if (data === 'render' && accessCode !== null) show('choices');
  if (data === 'close') {
    accessCode = null;
    show('waiting');
  }
});
addEventListener('keydown', (event) => event.key === 'Escape' && choose('cancel'));
for (const button of buttons) button.addEventListener('click', () => choose(button.dataset.outcome));

const amount = new URLSearchParams(location.search).get('amount');
if (amount !== null) document.getElementById('amount').textContent = `: ${amount}`;
try {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const stored = localStorage.getItem('theme');
  document.documentElement.dataset.theme = stored === 'dark' || stored === 'light' ? stored : dark;
} catch {
  // Storage is refused; light is fine.
}
send('loaded:checkout');
