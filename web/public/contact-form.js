// Sends the contact form, on the page without the application and within it. What it says stands in the form's data attributes.
const TIMEOUT_MS = 30_000;
const MAX_CHARACTERS = 5000;
const FORM = 'form[data-contact]';
let leaving;
/** How often it was asked who is signed in; an earlier answer than the last one counts no more. */
let asked = 0;

/**
 * Makes the form that is on the page ready for whoever is signed in now: words of somebody else leave it, and it is filled with what this
 * person did not send, and the address of who is signed in.
 */
async function prepare() {
  const form = document.querySelector(FORM);
  if (form === null) return;
  form.querySelector('[type="submit"]').disabled = false;
  const turn = ++asked;
  const signIn = await fetch('/api/auth/get-session')
    .then((response) => (response.ok ? response.json() : undefined))
    .catch(() => undefined);
  const person = signIn?.user.id ?? '';
  if (signIn === undefined || turn !== asked || !form.isConnected || form.dataset.person === person) return;
  if (form.dataset.person !== undefined) empty(form);
  const early = readDraft(form);
  form.dataset.person = person;
  forgetOthers(form);
  const { message, email } = form.elements;
  const draft = readDraft(form);
  if (message.value === '') message.value = early.message || draft.message;
  if (email.value === '') email.value = early.email || draft.email;
  keepDraft(form);
  if (!signIn) return;
  form.dataset.signedIn = '';
  if (email.value === '') email.value = signIn.user.email;
}

/** Takes the words off the page. Whose come next, an id or '' for a visitor, is unknown until the server has said it. */
function empty(form) {
  form.reset();
  for (const name of ['person', 'signedIn', 'key']) delete form.dataset[name];
}

/** Where this tab keeps what somebody wrote, `?` before it is known who; `lib/typed` forgets it with the rest of what they typed. */
const keyOf = (form, uid = '?') => `${form.dataset.draft}${uid}:contact`;

/** What this person typed in this tab before and did not send. */
function readDraft(form) {
  try {
    const { message, email } = JSON.parse(sessionStorage.getItem(keyOf(form, form.dataset.person)) ?? '{}');
    return { message: String(message ?? ''), email: String(email ?? '') };
  } catch {
    return { message: '', email: '' };
  }
}

/** Keeps what is typed, for a reload or a look at another page; forgets it once it is sent. */
function keepDraft(form) {
  const { person } = form.dataset;
  const { message, email } = form.elements;
  try {
    if (message.value === '') sessionStorage.removeItem(keyOf(form, person));
    else sessionStorage.setItem(keyOf(form, person), JSON.stringify({ message: message.value, email: email.value }));
  } catch {
    // A browser that stores nothing keeps no draft.
  }
}

/** Forgets what others wrote in this tab. While nobody is signed in, it waits for whoever's sign-in ended by itself. */
function forgetOthers(form) {
  const { draft, visit, person } = form.dataset;
  try {
    const owners = [person, person || JSON.parse(localStorage.getItem(visit))?.uid].filter((uid) => uid !== undefined);
    const kept = owners.map((uid) => keyOf(form, uid));
    const drafts = Object.keys(sessionStorage).filter((key) => key.startsWith(draft) && key.endsWith(':contact'));
    for (const key of drafts) if (!kept.includes(key)) sessionStorage.removeItem(key);
  } catch {
    // A browser that stores nothing has nothing to forget.
  }
}

function show(form, tone, text) {
  const notice = form.querySelector('[role="status"]');
  clearTimeout(leaving);
  notice.dataset.tone = tone;
  notice.textContent = text;
  leaving = setTimeout(() => {
    notice.textContent = '';
  }, Number(form.dataset.noticeMs));
}

/** Says what is wrong with a field, beneath it; '' takes it back. */
function mark(field, text) {
  document.getElementById(field.getAttribute('aria-describedby')).textContent = text;
  if (text === '') field.removeAttribute('aria-invalid');
  else field.setAttribute('aria-invalid', 'true');
}

/** What is wrong with a field: '', 'missing' or 'wrong'. */
function problem(form, field) {
  const text = field.value.trim();
  if (field.name === 'email' && text === '' && 'signedIn' in form.dataset) return '';
  if (text === '') return 'missing';
  if (field.name === 'email') return field.validity.typeMismatch ? 'wrong' : '';
  return Array.from(text).length > MAX_CHARACTERS ? 'wrong' : '';
}

function refusedFields(form) {
  const { message, email } = form.elements;
  return [message, email].filter((field) => {
    const found = problem(form, field);
    mark(field, found === '' ? '' : field.parentElement.dataset[found]);
    return found !== '';
  });
}

/** What the form holds goes out once under one key, however often it is tried. */
async function post(form) {
  const { message, email, website } = form.elements;
  form.dataset.key ??= Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');
  const response = await fetch('/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': form.dataset.key },
    body: JSON.stringify({
      message: message.value.trim(),
      website: website.value,
      ...(email.value.trim() === '' ? {} : { email: email.value.trim() }),
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  if (response === undefined) return `${form.dataset.failed} ${form.dataset.unreached}`;
  if (response.ok) return 'sent';
  const { error } = await response.json();
  // The server says how long to wait.
  if (response.status === 429) return error.message;
  const field = response.status === 400 ? form.elements[error.field] : undefined;
  if (field === undefined || field === website) return 'failed';
  mark(field, error.message);
  field.focus();
  return 'refused';
}

async function send(form) {
  const button = form.querySelector('[type="submit"]');
  if (button.getAttribute('aria-busy') === 'true') return;
  const [first] = refusedFields(form);
  if (first !== undefined) return first.focus();
  const label = button.textContent;
  button.setAttribute('aria-busy', 'true');
  button.textContent = button.dataset.working;
  const { message } = form.elements;
  const words = message.value;
  const result = await post(form).catch(() => 'failed');
  button.removeAttribute('aria-busy');
  button.textContent = label;
  if (result === 'sent') {
    // What was typed meanwhile stays.
    if (message.value.startsWith(words)) message.value = message.value.slice(words.length).trimStart();
    delete form.dataset.key;
    keepDraft(form);
    show(form, 'good', form.dataset.sent);
  } else if (result !== 'refused') show(form, 'bad', result === 'failed' ? form.dataset.failed : result);
}

document.addEventListener('submit', (event) => {
  if (!event.target.matches(FORM)) return;
  event.preventDefault();
  void send(event.target);
});
document.addEventListener('input', (event) => {
  const form = event.target.closest(FORM);
  if (form !== null) keepDraft(form);
});
addEventListener('contact-form', prepare);
// Another tab's sign-in began or ended; without a visit it was on purpose, and nothing may stay.
addEventListener('storage', ({ key, newValue }) => {
  const form = document.querySelector(FORM);
  if (form === null || key !== form.dataset.visit) return;
  if (newValue === null) {
    empty(form);
    forgetOthers(form);
  }
  void prepare();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void prepare();
});

/** Whether the browser fills in again what was in the form, whoever typed it; it does so between `DOMContentLoaded` and `pageshow`. */
const isReturn = performance.getEntriesByType('navigation')[0]?.type !== 'navigate';
addEventListener('pageshow', ({ persisted }) => {
  const form = document.querySelector(FORM);
  if (form === null || !(persisted || isReturn)) return;
  empty(form);
  void prepare();
});
// Loaded before the page was read to its end, or long after.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => isReturn || prepare());
else if (document.readyState === 'complete' || !isReturn) void prepare();
